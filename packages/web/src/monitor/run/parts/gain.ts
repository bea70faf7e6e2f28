/** Formats the points that fixing a rule adds to the score. A gain below half a point is not zero. */
export function formatGain(scoreGain: number, formatNumber: (value: number) => string): string {
  const gainedPoints = Math.round(scoreGain * 100)
  if (gainedPoints === 0) return scoreGain > 0 ? '<1' : formatNumber(0)
  return `+${formatNumber(gainedPoints)}`
}
