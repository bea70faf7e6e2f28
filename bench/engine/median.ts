/** Returns the median; of an even number of values the higher one in the middle. */
export const computeMedian = (values: readonly number[]): number =>
  values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)] ?? 0

/** Compares the rounds of two contenders that took turns: ratios of medians, of each round, and of minima. */
export const compareRounds = (values: readonly number[], baseline: readonly number[]) => ({
  'ratio of medians': (computeMedian(values) / computeMedian(baseline)).toFixed(3),
  'median of ratios': computeMedian(values.map((value, round) => value / baseline[round]!)).toFixed(3),
  'ratio of minima': (Math.min(...values) / Math.min(...baseline)).toFixed(3),
})
