import type { ExclusionReason, FailureReason } from '../page/schema.ts'
import type { RunProblem } from './schema.ts'

/** What became of a page at depth 0 that was not completed. `detail` is English. */
export type StartPage = { url: string; detail: string | null } & (
  { kind: 'failed'; reason: FailureReason } | { kind: 'excluded'; reason: ExclusionReason }
)

/** Pages at depth 0 that say nothing about the run: what they lead to is at depth 0, too. */
export const leadsElsewhere: readonly ExclusionReason[] = ['redirect', 'not-a-page', 'duplicate']

/** Where a start URL leads out of what the scan covers. */
const outside: ReadonlySet<ExclusionReason> = new Set(['other-domain', 'outside-folder'])

const startProblems = [
  'start-urls-failed',
  'start-url-leaves-domains',
  'nothing-to-scan',
] as const satisfies RunProblem[]
export type StartProblem = (typeof startProblems)[number]

/** Whether a problem speaks of start pages: it is void as soon as any page of the run was completed. */
export const isStartProblem = (problem: RunProblem): problem is StartProblem =>
  (startProblems as readonly string[]).includes(problem)

const mostNamed = 3

/**
 * Why a run completed nothing, by its start pages without those that `leadsElsewhere`: one that failed counts for more
 * than one that was left out. `detail` names the first three.
 */
export function startProblemOf(pages: readonly StartPage[]): { problem: StartProblem; detail: string } {
  const failed = pages.some(({ kind }) => kind === 'failed')
  const left = pages.some((page) => page.kind === 'excluded' && outside.has(page.reason))
  const named = pages
    .slice(0, mostNamed)
    .map(({ url, reason, detail }) => `${url}: ${reason}${detail ? ` (${detail})` : ''}`)
  if (pages.length > mostNamed) named.push(`and ${pages.length - mostNamed} more`)
  return {
    problem: failed ? 'start-urls-failed' : left ? 'start-url-leaves-domains' : 'nothing-to-scan',
    detail: named.join('; '),
  }
}
