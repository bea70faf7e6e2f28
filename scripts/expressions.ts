import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { analyse } from 'scslre'

/** A regular expression whose time grows without bound with a text that somebody may choose. */
export type SlowExpression = { file: string; expression: string; why: string }

type Node = { type?: string; pattern?: string; flags?: string }

/** Slow ones that meet only short texts. */
const spared: readonly SlowExpression[] = [
  {
    file: 'packages/engine/src/axe/element-key-in-page.ts',
    expression: String.raw`/[._-]?(?=[0-9a-z]*\d)[0-9a-f]{8,}/gi`,
    why: 'an address of 2,000 letters at most, in the page itself',
  },
  {
    file: 'packages/server/src/monitor/scan/selector/model.ts',
    expression: String.raw`/\[[^\]]*\]/g`,
    why: 'a selector, whose length its schema bounds',
  },
]

/** All regular expressions that are written as such in a program. */
function expressionsIn(file: string, program: string): { pattern: string; flags: string }[] {
  const found: { pattern: string; flags: string }[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    const { type, pattern, flags = '' } = value as Node
    if (type === 'RegExpLiteral' && typeof pattern === 'string') found.push({ pattern, flags })
    Object.values(value).forEach(visit)
  }
  visit(parseSync(program, { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'es2022' }))
  return found
}

/** Why a text can be made on which an expression backtracks more than linearly; null when none can. */
export function slownessOf({ pattern, flags }: { pattern: string; flags: string }): string | null {
  const { reports } = analyse({ source: pattern, flags }, { maxReports: 5 })
  const [worst] = reports.sort((a, b) => Number(b.exponential) - Number(a.exponential))
  if (!worst) return null
  const how = worst.exponential ? 'exponentially' : 'polynomially'
  return `backtracks ${how} (${worst.type}) on many of ${worst.character.literal.source}`
}

/** The expressions of a program that are slow on some text. */
export const slowIn = (file: string, program: string): SlowExpression[] =>
  expressionsIn(file, program).flatMap((expression) => {
    const why = slownessOf(expression)
    return why === null ? [] : [{ file, expression: `/${expression.pattern}/${expression.flags}`, why }]
  })

/** What is wrong with the slow expressions that were found: neither may one be slow, nor one be spared that is not. */
export const unsparedOf = (found: readonly SlowExpression[], spare = spared): SlowExpression[] => {
  const isSame = (a: SlowExpression) => (b: SlowExpression) =>
    a.file === b.file && a.expression === b.expression
  return [
    ...found.filter((one) => !spare.some(isSame(one))),
    ...spare
      .filter((one) => !found.some(isSame(one)))
      .map((one) => ({ ...one, why: 'is spared, but not slow' })),
  ]
}

/** Those of the product: tests and what runs by hand meet no stranger. */
export function slowExpressions(root: string): SlowExpression[] {
  const programs = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.(test|d)\.tsx?$/.test(file),
  )
  // Nothing found in nothing would say "all is well", too.
  for (const ending of ['.ts', '.tsx'])
    if (programs.filter((file) => file.endsWith(ending)).length < 100)
      throw new Error(`Fewer than 100 programs end in ${ending}`)
  return unsparedOf(programs.flatMap((file) => slowIn(file, readFileSync(join(root, file), 'utf8'))))
}
