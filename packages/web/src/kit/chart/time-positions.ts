/** Minimum distance between points, in pixels: runs of one day stay apart. */
const minPointDistance = 10

/**
 * Returns the x coordinate of each point of a chart: distances show the time between points.
 *
 * @param timestamps in ascending order; an undated point stands next to the previous one, or at the first.
 * @param start x coordinate of the first point
 * @param end x coordinate of the last point, unless all have the same time
 */
export function computeTimePositions(timestamps: readonly (string | null)[], start: number, end: number): number[] {
  const times: number[] = []
  const firstDated = timestamps.find((timestamp) => timestamp !== null) ?? null
  const firstKnownTime = firstDated === null ? 0 : Date.parse(firstDated)
  for (const timestamp of timestamps) times.push(timestamp === null ? (times.at(-1) ?? firstKnownTime) : Date.parse(timestamp))
  const [firstTime = 0, lastTime = 0] = [times[0], times.at(-1)]
  const pixelsPerMs = lastTime > firstTime ? (end - start) / (lastTime - firstTime) : 0
  const minDistance = Math.min(minPointDistance, (end - start) / Math.max(1, times.length - 1))
  const positions: number[] = []
  for (const time of times)
    positions.push(
      Math.max(start + (time - firstTime) * pixelsPerMs, (positions.at(-1) ?? Number.NEGATIVE_INFINITY) + minDistance),
    )
  // Points that were moved past the end move back, and push those before them.
  let maxPosition = end
  for (let i = positions.length - 1; i >= 0; i--) {
    positions[i] = Math.min(positions[i]!, maxPosition)
    maxPosition = positions[i]! - minDistance
  }
  return positions
}
