import type { PageView } from '@clearway/contract/monitor/page/schema.ts'

type Issue = PageView['issues'][number]
/** One place in a picture, and what is open there, worst first. */
export type Marker = { number: number; box: Issue['box']; issues: [Issue, ...Issue[]] }

/** More numbers than this hide the picture. */
const most = 40

/** The places of a picture, those of the worst issues first numbered from 1; `rest` is how many have no number. */
export function markersOf({ issues }: PageView): { markers: Marker[]; rest: number } {
  const places = new Map<string, [Issue, ...Issue[]]>()
  for (const issue of issues) {
    const { x, y, width, height } = issue.box
    const key = [x, y, width, height].join(' ')
    const here = places.get(key)
    if (here) here.push(issue)
    else places.set(key, [issue])
  }
  const markers = [...places.values()]
    .slice(0, most)
    .map((here, index) => ({ number: index + 1, box: here[0].box, issues: here }))
  return { markers, rest: Math.max(0, places.size - most) }
}
