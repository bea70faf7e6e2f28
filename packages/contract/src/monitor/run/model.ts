import type { ExclusionReason, FailureReason } from '../page/schema.ts'
import type { RunProblem } from './schema.ts'

/** Outcome of a page at depth 0 that was not completed. `detail` is English. */
export type StartPage = { url: string; detail: string | null } & (
  | { kind: 'failed'; reason: FailureReason }
  | { kind: 'excluded'; reason: ExclusionReason }
)

/** Exclusions that say nothing about the run: their targets are also at depth 0. */
export const forwardingReasons: readonly ExclusionReason[] = ['redirect', 'not-a-page', 'duplicate']

/** Exclusions of start URLs that leave the scan's scope. */
const outOfScopeReasons: ReadonlySet<ExclusionReason> = new Set(['other-domain', 'outside-folder'])

const startProblemCodes = ['start-urls-failed', 'start-url-leaves-domains', 'nothing-to-scan'] as const satisfies RunProblem[]
export type StartProblem = (typeof startProblemCodes)[number]

/** Returns true for problems with start pages, which no longer apply once any page of the run was completed. */
export const isStartProblem = (problem: RunProblem): problem is StartProblem =>
  (startProblemCodes as readonly string[]).includes(problem)

const maxNamedPages = 3

/** Returns why a run completed nothing, by its start pages: failed ones before excluded ones. `detail` lists the first three. */
export function startProblemOf(pages: readonly StartPage[]): { problem: StartProblem; detail: string } {
  const hasFailed = pages.some(({ kind }) => kind === 'failed')
  const hasLeftScope = pages.some((page) => page.kind === 'excluded' && outOfScopeReasons.has(page.reason))
  const namedPages = pages
    .slice(0, maxNamedPages)
    .map(({ url, reason, detail }) => `${url}: ${reason}${detail ? ` (${detail})` : ''}`)
  if (pages.length > maxNamedPages) namedPages.push(`and ${pages.length - maxNamedPages} more`)
  return {
    problem: hasFailed ? 'start-urls-failed' : hasLeftScope ? 'start-url-leaves-domains' : 'nothing-to-scan',
    detail: namedPages.join('; '),
  }
}
