import type { PageView } from '@clearway/contract/monitor/page/schema.ts'

type ViewIssue = PageView['issues'][number]
/** One box in a picture with its open issues, most severe first. */
export type IssueMarker = { number: number; box: ViewIssue['box']; issues: [ViewIssue, ...ViewIssue[]] }

/** More numbers than this would hide the picture. */
const maxMarkers = 40

/** Returns the boxes of a picture, most severe first, numbered from 1. `unnumberedCount` boxes have no number. */
export function buildMarkers({ issues }: PageView): { markers: IssueMarker[]; unnumberedCount: number } {
  const issuesByBox = new Map<string, [ViewIssue, ...ViewIssue[]]>()
  for (const issue of issues) {
    const { x, y, width, height } = issue.box
    const boxKey = [x, y, width, height].join(' ')
    const issuesInBox = issuesByBox.get(boxKey)
    if (issuesInBox) issuesInBox.push(issue)
    else issuesByBox.set(boxKey, [issue])
  }
  const numberedMarkers = [...issuesByBox.values()]
    .slice(0, maxMarkers)
    .map((issuesInBox, index) => ({ number: index + 1, box: issuesInBox[0].box, issues: issuesInBox }))
  return { markers: numberedMarkers, unnumberedCount: Math.max(0, issuesByBox.size - maxMarkers) }
}

/** Screen area covered by a number, in pixels. */
export type LabelArea = { x: number; y: number; width: number; height: number }
/** Text dimensions of the numbers in rem. */
const [numberHeight, oneDigitWidth, moreDigitsWidth, labelGap] = [1.25, 1.3, 1.8, 0.125]

type OffsetStep = readonly [right: number, down: number]
/** Cost of an offset. Vertical offsets cost less because they stay at the side of the box. */
const computeOffsetCost = ([right, down]: OffsetStep): number => 4 * right * right + down * down
/** Offsets from the ideal place in label sizes, nearest first. */
const offsetSteps = Array.from({ length: 41 * 81 }, (_, index): OffsetStep => [
  Math.floor(index / 81) - 20,
  ((index % 81) - 40) / 2,
]).toSorted((a, b) => computeOffsetCost(a) - computeOffsetCost(b))
const overlaps = (a: LabelArea, b: LabelArea): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/**
 * Places the number of each marker next to its box, or as near as others and the edge allow; null if there is no room.
 * @param scale screen pixels per picture pixel
 * @param rem root font size in screen pixels
 */
export function placeLabels(
  markers: readonly IssueMarker[],
  { width, height, scale, rem }: { width: number; height: number; scale: number; rem: number },
): (LabelArea | null)[] {
  const placedAreas: LabelArea[] = []
  const [rightEdge, bottomEdge] = [width * scale, height * scale]
  return markers.map(({ box, number }) => {
    const labelSize = { width: (number < 10 ? oneDigitWidth : moreDigitsWidth) * rem, height: (numberHeight + labelGap) * rem }
    const leftOfBox = box.x * scale - labelSize.width
    const idealX = Math.max(0, Math.min(rightEdge - labelSize.width, leftOfBox < 0 ? box.x * scale : leftOfBox))
    const idealY = Math.max(0, Math.min(bottomEdge - labelSize.height, box.y * scale))
    const getAreaAt = ([columnOffset, rowOffset]: OffsetStep): LabelArea => ({
      ...labelSize,
      x: idealX + columnOffset * labelSize.width,
      y: idealY + rowOffset * labelSize.height,
    })
    const isAreaFree = (area: LabelArea) =>
      area.x >= 0 &&
      area.y >= 0 &&
      area.x + area.width <= rightEdge &&
      area.y + area.height <= bottomEdge &&
      !placedAreas.some((placedArea) => overlaps(area, placedArea))
    const freeStep = offsetSteps.find((step) => isAreaFree(getAreaAt(step)))
    if (!freeStep) return null
    const labelArea = getAreaAt(freeStep)
    placedAreas.push(labelArea)
    return labelArea
  })
}
