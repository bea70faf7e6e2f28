import { RE2JS } from 're2js'

/** Maximum number of steps of all expressions together, as when they run. */
const maxSteps = 10_000

/** Lower bound of the steps of an expression: what its repetitions multiply. Compiling it takes longer. */
const countRepetitions = (expression: string): number =>
  [...expression.matchAll(/\{(\d{1,6})(?:,(\d{0,6}))?\}/g)].reduce(
    (sum, [, minCount, maxCount]) => sum + Number(maxCount || minCount),
    0,
  )

/** Creates the check of one scan's expressions by RE2, the library that runs them; they share the maximum number of steps. */
export function createExpressionCheck(): (expression: string) => boolean {
  let remainingSteps = maxSteps
  return (expression) => {
    if (countRepetitions(expression) > remainingSteps) return false
    try {
      remainingSteps -= RE2JS.compile(expression).programSize()
      return remainingSteps >= 0
    } catch {
      return false
    }
  }
}
