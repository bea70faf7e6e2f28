import type { PageView } from '@clearway/contract/monitor/page/schema.ts'

type Issue = PageView['issues'][number]
/** One box in a picture, and what is open there, worst first. */
export type Marker = { number: number; box: Issue['box']; issues: [Issue, ...Issue[]] }

/** More numbers than this hide the picture. */
const most = 40

/** The boxes of a picture, those of the worst issues first numbered from 1; `rest` is how many have no number. */
export function markersOf({ issues }: PageView): { markers: Marker[]; rest: number } {
  const boxes = new Map<string, [Issue, ...Issue[]]>()
  for (const issue of issues) {
    const { x, y, width, height } = issue.box
    const key = [x, y, width, height].join(' ')
    const here = boxes.get(key)
    if (here) here.push(issue)
    else boxes.set(key, [issue])
  }
  const markers = [...boxes.values()]
    .slice(0, most)
    .map((here, index) => ({ number: index + 1, box: here[0].box, issues: here }))
  return { markers, rest: Math.max(0, boxes.size - most) }
}

/** Of a number in a picture: what it covers, in pixels of the screen. */
export type Spot = { x: number; y: number; width: number; height: number }
/** Of the type that the numbers are set in, rem. */
const [numberHeight, oneDigit, moreDigits, gap] = [1.25, 1.3, 1.8, 0.125]

type Step = readonly [right: number, down: number]
/** How far a step leads away; along the side of a box it stays with it. */
const away = ([right, down]: Step): number => 4 * right * right + down * down
/** Steps away from where a number would be best, in sizes of a number, the nearest first. */
const steps = Array.from({ length: 41 * 81 }, (_, at): Step => [
  Math.floor(at / 81) - 20,
  ((at % 81) - 40) / 2,
]).toSorted((a, b) => away(a) - away(b))
const meets = (a: Spot, b: Spot): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/**
 * Where the number of each marker is: beside its box, or as near to that as another number and the picture's edge allow.
 * None where nothing is free: the list below the picture has it.
 * @param scale pixels of the screen to one of the picture
 * @param rem pixels of the screen
 */
export function spotsOf(
  markers: readonly Marker[],
  { width, height, scale, rem }: { width: number; height: number; scale: number; rem: number },
): (Spot | null)[] {
  const taken: Spot[] = []
  const [right, bottom] = [width * scale, height * scale]
  return markers.map(({ box, number }) => {
    const size = { width: (number < 10 ? oneDigit : moreDigits) * rem, height: (numberHeight + gap) * rem }
    const beside = box.x * scale - size.width
    const x = Math.max(0, Math.min(right - size.width, beside < 0 ? box.x * scale : beside))
    const y = Math.max(0, Math.min(bottom - size.height, box.y * scale))
    const spotAt = ([i, j]: Step): Spot => ({ ...size, x: x + i * size.width, y: y + j * size.height })
    const isFree = (spot: Spot) =>
      spot.x >= 0 &&
      spot.y >= 0 &&
      spot.x + spot.width <= right &&
      spot.y + spot.height <= bottom &&
      !taken.some((other) => meets(spot, other))
    const free = steps.find((step) => isFree(spotAt(step)))
    if (!free) return null
    const spot = spotAt(free)
    taken.push(spot)
    return spot
  })
}
