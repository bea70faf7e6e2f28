import { appendFileSync, writeFileSync } from 'node:fs'

/** What a contender found on one page, in a form that can be compared: one line for each element and rule. */
export type Found = Record<string, string[]>

type AxeResults = { violations: AxeRule[]; incomplete: AxeRule[] }
type AxeRule = { id: string; nodes: { target: unknown }[] }

export const lines = ({ violations, incomplete }: AxeResults): string[] =>
  [
    ...violations.flatMap((r) => r.nodes.map((n) => `${r.id} fails ${JSON.stringify(n.target)}`)),
    ...incomplete.flatMap((r) => r.nodes.map((n) => `${r.id} incomplete ${JSON.stringify(n.target)}`)),
  ].sort()

/** The arguments that each contender gets: a file of URLs, a file for its findings, the browser, pages at once. */
export function job() {
  const [urlFile, foundFile, executablePath, concurrency] = process.argv.slice(2)
  if (!urlFile || !foundFile || !executablePath || !concurrency) throw new Error('run by compare.ts')
  writeFileSync(foundFile, '')
  return {
    urlFile,
    executablePath,
    concurrency: Number(concurrency),
    args: ['--no-sandbox'],
    record: (url: string, found: string[]) => appendFileSync(foundFile, `${JSON.stringify([url, found])}\n`),
  }
}

/** WCAG 2.2 AA and best practices, as the product's default. */
export const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
