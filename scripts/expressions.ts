import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { analyse } from 'scslre'

/** A regular expression with unbounded running time for hostile input. */
export type SlowExpression = { file: string; expression: string; why: string }

type Node = { type?: string; pattern?: string; flags?: string }

/** Slow expressions that only receive short texts. */
const exemptExpressions: readonly SlowExpression[] = [
  {
    file: 'packages/engine/src/axe/element-key-in-page.ts',
    expression: String.raw`/[._-]?(?=[0-9a-z]*\d)[0-9a-f]{8,}/gi`,
    why: 'an address of 2,000 letters at most, in the page itself',
  },
]

/** Returns all regular expression literals of a program. */
function listExpressions(file: string, program: string): { pattern: string; flags: string }[] {
  const literals: { pattern: string; flags: string }[] = []
  const visitNode = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visitNode)
    if (typeof value !== 'object' || value === null) return
    const { type, pattern, flags = '' } = value as Node
    if (type === 'RegExpLiteral' && typeof pattern === 'string') literals.push({ pattern, flags })
    Object.values(value).forEach(visitNode)
  }
  visitNode(parseSync(program, { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'es2022' }))
  return literals
}

/** Returns the reason why a text can make an expression backtrack more than linearly; null if there is none. */
export function explainSlowness({ pattern, flags }: { pattern: string; flags: string }): string | null {
  const { reports } = analyse({ source: pattern, flags }, { maxReports: 5 })
  const [worst] = reports.sort((a, b) => Number(b.exponential) - Number(a.exponential))
  if (!worst) return null
  const growth = worst.exponential ? 'exponentially' : 'polynomially'
  return `backtracks ${growth} (${worst.type}) on many of ${worst.character.literal.source}`
}

/** Returns the expressions of a program that are slow for some text. */
export const findSlowExpressions = (file: string, program: string): SlowExpression[] =>
  listExpressions(file, program).flatMap((expression) => {
    const why = explainSlowness(expression)
    return why === null ? [] : [{ file, expression: `/${expression.pattern}/${expression.flags}`, why }]
  })

/** Returns the problems: slow expressions without exemption, and exemptions of fast ones. */
export const findProblems = (slowExpressions: readonly SlowExpression[], exempt = exemptExpressions): SlowExpression[] => {
  const isSame = (a: SlowExpression) => (b: SlowExpression) => a.file === b.file && a.expression === b.expression
  return [
    ...slowExpressions.filter((expression) => !exempt.some(isSame(expression))),
    ...exempt
      .filter((expression) => !slowExpressions.some(isSame(expression)))
      .map((expression) => ({ ...expression, why: 'is spared, but not slow' })),
  ]
}

/** Returns the product's slow expressions. Tests and scripts run by hand receive no hostile input. */
export function findProductSlowExpressions(root: string): SlowExpression[] {
  const programs = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.(test|d)\.tsx?$/.test(file))
  // An empty file list would report no problem, too.
  for (const ending of ['.ts', '.tsx'])
    if (programs.filter((file) => file.endsWith(ending)).length < 100) throw new Error(`Fewer than 100 programs end in ${ending}`)
  return findProblems(programs.flatMap((file) => findSlowExpressions(file, readFileSync(join(root, file), 'utf8'))))
}
