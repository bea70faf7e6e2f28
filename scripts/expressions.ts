import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { analyse } from 'scslre'

/** A regular expression whose time grows without bound with a text that somebody may choose. */
export type SlowExpression = { file: string; expression: string; why: string }

type Node = { type?: string; pattern?: string; flags?: string }

/** Slow ones that meet only short texts. */
const spared: Readonly<Record<string, string>> = {
  'packages/engine/src/axe/element-key-in-page.ts': 'an address of 2,000 letters at most, in the page itself',
  'packages/server/src/monitor/scan/selector/model.ts': 'a selector, whose length its schema bounds',
}

/** All regular expressions that are written as such in a program. */
function expressionsIn(program: string): { pattern: string; flags: string }[] {
  const found: { pattern: string; flags: string }[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    const { type, pattern, flags = '' } = value as Node
    if (type === 'RegExpLiteral' && typeof pattern === 'string') found.push({ pattern, flags })
    Object.values(value).forEach(visit)
  }
  visit(parseSync(program, { syntax: 'typescript', tsx: false, target: 'es2022' }))
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
  expressionsIn(program).flatMap((expression) => {
    const why = slownessOf(expression)
    return why === null ? [] : [{ file, expression: `/${expression.pattern}/${expression.flags}`, why }]
  })

/** Those of the product: tests and what runs by hand meet no stranger. */
export function slowExpressions(root: string): SlowExpression[] {
  const programs = globSync('packages/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !/\.(test|d)\.ts$/.test(file) && !(file in spared),
  )
  // Nothing found in nothing would say "all is well", too.
  if (programs.length < 100) throw new Error(`Only ${programs.length} programs were found`)
  return programs.flatMap((file) => slowIn(file, readFileSync(join(root, file), 'utf8')))
}
