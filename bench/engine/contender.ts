import { appendFileSync, writeFileSync } from 'node:fs'

/** Findings of a contender by page, in a comparable form: one line for each element and rule. */
export type FindingsByUrl = Record<string, string[]>

type AxeResults = { violations: AxeRule[]; incomplete: AxeRule[] }
type AxeRule = { id: string; nodes: { target: unknown }[] }

export const toLines = ({ violations, incomplete }: AxeResults): string[] =>
  [
    ...violations.flatMap((r) => r.nodes.map((n) => `${r.id} fails ${JSON.stringify(n.target)}`)),
    ...incomplete.flatMap((r) => r.nodes.map((n) => `${r.id} incomplete ${JSON.stringify(n.target)}`)),
  ].sort()

/** Returns the arguments of a contender: a file of URLs, a file for its findings, the browser, pages at once. */
export function readJob() {
  const [urlFile, foundFile, executablePath, concurrency] = process.argv.slice(2)
  if (!urlFile || !foundFile || !executablePath || !concurrency) throw new Error('run by compare.ts')
  writeFileSync(foundFile, '')
  return {
    urlFile,
    executablePath,
    concurrency: Number(concurrency),
    args: ['--no-sandbox'],
    record: (url: string, findings: string[]) => appendFileSync(foundFile, `${JSON.stringify([url, findings])}\n`),
  }
}

/** WCAG 2.2 AA and best practices, as the product's default. */
export const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
