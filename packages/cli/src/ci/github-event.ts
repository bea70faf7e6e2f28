import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

export type Environment = Readonly<Record<string, string | undefined>>

const Repository = z.nullish(z.object({ full_name: z.string() }))
const Revision = z.object({ ref: z.string(), sha: z.string(), repo: Repository })
const Event = z.object({
  pull_request: z.optional(z.object({ number: z.int(), head: z.optional(Revision), base: z.optional(Revision) })),
  /** A comment on a pull request: the branch of the workflow is the main one. */
  issue: z.optional(z.object({ number: z.int(), pull_request: z.optional(z.unknown()) })),
  /** The workflow follows another one, whose branch it tests, and has the main branch itself. */
  workflow_run: z.optional(
    z.object({ head_branch: z.nullable(z.string()), head_sha: z.string(), head_repository: Repository, repository: Repository }),
  ),
})
export type GithubEvent = z.output<typeof Event>

/** Event that a workflow runs for; empty if the file is missing or has another form. */
export function readGithubEvent({ GITHUB_EVENT_PATH }: Environment): GithubEvent {
  try {
    const event = z.safeParse(Event, JSON.parse(readFileSync(GITHUB_EVENT_PATH ?? '', 'utf8')))
    return event.success ? event.data : {}
  } catch {
    return {}
  }
}
