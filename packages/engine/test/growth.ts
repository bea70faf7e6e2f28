/** Single letters and words that readers go back for. */
export const seeds = [
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

/** CPU time in milliseconds of the best of some tries, for 1, 10 and 100 KiB. */
export type Growth = readonly [small: number, medium: number, large: number]

/** The best of a few: what the machine does besides can only lengthen it. CPU time, so that waiting does not count. */
function bestOf(work: () => unknown): number {
  let best = Infinity
  for (let tries = 0; tries < 5 && best > 0.5 && best * tries < 400; tries++) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/** How long it takes to read texts of three sizes. */
export function growthOf(make: (size: number) => string, read: (text: string) => unknown): Growth {
  const [small, medium, large] = [1, 10, 100].map((kib) => {
    const text = make(kib * 1024)
    return bestOf(() => read(text))
  })
  return [small!, medium!, large!]
}

/**
 * Ten times the text may take ten times as long; three times that is slack, and less than 150 ms is what collecting garbage
 * may add. What was quadratic took seconds.
 */
export const linear = ([, medium, large]: Growth): boolean => large <= Math.max(150, medium * 30)
