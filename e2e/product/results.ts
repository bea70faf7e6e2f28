import { readExpected, sorted } from '@clearway/fixtures/site/expected.ts'
import type { Client } from './client.ts'

type PageOf<T> = { content: T[]; page: { totalElements: number; totalPages: number } }
export type PageRow = {
  id: string
  url: string
  status: string
  failure: string | null
  exclusion: string | null
}
type IssueRow = { id: string; rule: string; severity: string; pageUrl: string }
export type Run = {
  number: number
  status: string
  score: number | null
  partial: boolean
  problem: string | null
}

/** Every row of a list, page by page. */
export async function all<T>(client: Client, path: string): Promise<T[]> {
  const rows: T[] = []
  for (let page = 0; ; page++) {
    const { content, page: about } = await client<PageOf<T>>(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}page=${page}&size=500`,
    )
    rows.push(...content)
    if (page + 1 >= about.totalPages) return rows
  }
}

/**
 * The settings under which the fixture site gives what `expected.json` says. Only the page that never answers waits for its
 * limit; a page that is merely slow, beside the browser of a walk, must not meet it.
 */
export const fixtureScan = (name: string, siteUrl: string, advanced: object = {}) => ({
  name,
  type: 'custom',
  urls: [`${siteUrl}/`],
  depth: null,
  pageLimit: 1000,
  advanced: { pageTimeoutMs: 15_000, ...advanced },
})

/** What one run found, in the form of `expected.json`, and what it should have been. `twice` must be empty. */
export async function compareRun(client: Client, scanId: string, run: number, siteUrl: string) {
  const path = (url: string) => (url.startsWith(siteUrl) ? url.slice(siteUrl.length) : url)
  const pages = await all<PageRow>(client, `/scans/${scanId}/runs/${run}/pages`)
  const issues = await all<IssueRow>(client, `/issues?scanId=${scanId}&runNumber=${run}`)
  const ofStatus = (status: string) => pages.filter((p) => p.status === status)
  const completed: Record<string, { rule: string; severity: string; target: unknown[] }[]> =
    Object.fromEntries(ofStatus('completed').map((p) => [path(p.url), []]))
  for (const issue of issues) {
    const detail = await client<{ target: unknown[] }>('GET', `/issues/${issue.id}?runNumber=${run}`)
    ;(completed[path(issue.pageUrl)] ??= []).push({
      rule: issue.rule,
      severity: issue.severity,
      target: detail.target,
    })
  }
  for (const [url, found] of Object.entries(completed)) completed[url] = sorted(found)
  const urls = pages.map((p) => p.url)
  const { score } = await client<Run>('GET', `/scans/${scanId}/runs/${run}/overview`)
  const expected = readExpected()
  return {
    twice: urls.filter((u, i) => urls.indexOf(u) !== i),
    found: {
      score,
      completed,
      failed: Object.fromEntries(ofStatus('failed').map((p) => [path(p.url), p.failure])),
      excluded: Object.fromEntries(ofStatus('excluded').map((p) => [path(p.url), p.exclusion])),
      otherDomain: ofStatus('otherDomainIgnored')
        .map((p) => path(p.url))
        .sort(),
    },
    expected: {
      score: expected.score,
      completed: expected.completed,
      failed: expected.failed,
      excluded: expected.excluded,
      otherDomain: [...expected.otherDomain].sort(),
    },
  }
}

/** Waits until no run of the scan is active, and returns the newest. */
export async function runEnded(client: Client, scanId: string, withinMs: number): Promise<Run> {
  const active = new Set(['initial', 'queued', 'starting', 'running', 'retrying'])
  for (const start = performance.now(); ; await new Promise((r) => setTimeout(r, 500))) {
    const { content } = await client<PageOf<Run>>('GET', `/scans/${scanId}/runs?size=1`)
    if (content[0] && !active.has(content[0].status)) return content[0]
    if (performance.now() - start > withinMs)
      throw new Error(`The run did not end: ${JSON.stringify(content[0])}`)
  }
}
