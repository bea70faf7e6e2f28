/** Characters and words that cause backtracking in parsers. */
export const growthSeeds = [
  'a',
  '1',
  ' ',
  '\n',
  '\t',
  '\r',
  '\0',
  '"',
  "'",
  '\\',
  '/',
  '*',
  '.',
  ',',
  ':',
  ';',
  '<',
  '>',
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  '&',
  '%',
  '#',
  '?',
  '=',
  '-',
  '+',
  '@',
  '|',
  'é',
  '\ud800',
  'a ',
  'a\n',
  '""',
  '[]',
  '{}',
  '/a',
  '1.',
] as const

/** CPU time in milliseconds, best of several attempts, for 1, 10 and 100 KiB. */
export type GrowthTimes = readonly [smallMs: number, mediumMs: number, largeMs: number]

/** Best of several attempts: other load can only increase the time. CPU time excludes waiting. */
function measureBest(measuredWork: () => unknown): number {
  let bestMs = Infinity
  for (let attemptCount = 0; attemptCount < 5 && bestMs > 0.5 && bestMs * attemptCount < 400; attemptCount++) {
    const cpuBefore = process.threadCpuUsage()
    measuredWork()
    const { user, system } = process.threadCpuUsage(cpuBefore)
    bestMs = Math.min(bestMs, (user + system) / 1000)
  }
  return bestMs
}

/** Measures the time for reading texts of three sizes. */
export function measureGrowth(buildText: (size: number) => string, readText: (inputText: string) => unknown): GrowthTimes {
  const [smallMs, mediumMs, largeMs] = [1, 10, 100].map((sizeKib) => {
    const inputText = buildText(sizeKib * 1024)
    return measureBest(() => readText(inputText))
  })
  return [smallMs!, mediumMs!, largeMs!]
}

/**
 * Ten times the text may take ten times as long. Three times that is tolerance, and 150 ms allow for garbage
 * collection. Quadratic code took seconds.
 */
export const isLinear = ([, mediumMs, largeMs]: GrowthTimes): boolean => largeMs <= Math.max(150, mediumMs * 30)
