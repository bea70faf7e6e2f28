import { readExpected, sortFindings } from '@clearway/fixtures/site/expected.ts'
import type { Client } from './client.ts'

type PageOf<T> = { content: T[]; page: { totalElements: number; totalPages: number } }
export type PageRow = { id: string; url: string; status: string; failure: string | null; exclusion: string | null }
type IssueRow = { id: string; rule: string; severity: string; pageUrl: string }
export type Run = { number: number; status: string; score: number | null; partial: boolean; problem: string | null }

/** Returns every row of a list, page by page. */
export async function fetchAllRows<T>(client: Client, path: string): Promise<T[]> {
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
 * Settings with which the fixture site gives the results in `expected.json`. Only the page that never responds reaches its
 * timeout; a merely slow page next to the browser of a walk must not.
 */
export const buildFixtureScan = (name: string, siteUrl: string, advanced: object = {}) => ({
  name,
  type: 'custom',
  urls: [`${siteUrl}/`],
  depth: null,
  pageLimit: 1000,
  advanced: { pageTimeoutMs: 15_000, ...advanced },
})

/** Returns the results of a run in the form of `expected.json`, and the expected ones. `duplicateUrls` must be empty. */
export async function compareRun(client: Client, scanId: string, run: number, siteUrl: string) {
  const toPath = (url: string) => (url.startsWith(siteUrl) ? url.slice(siteUrl.length) : url)
  const pages = await fetchAllRows<PageRow>(client, `/scans/${scanId}/runs/${run}/pages`)
  const issues = await fetchAllRows<IssueRow>(client, `/issues?scanId=${scanId}&runNumber=${run}`)
  const filterByStatus = (status: string) => pages.filter((p) => p.status === status)
  const completed: Record<string, { rule: string; severity: string; target: unknown[] }[]> = Object.fromEntries(
    filterByStatus('completed').map((p) => [toPath(p.url), []]),
  )
  for (const issue of issues) {
    const detail = await client<{ target: unknown[] }>('GET', `/issues/${issue.id}?runNumber=${run}`)
    ;(completed[toPath(issue.pageUrl)] ??= []).push({ rule: issue.rule, severity: issue.severity, target: detail.target })
  }
  for (const [url, pageFindings] of Object.entries(completed)) completed[url] = sortFindings(pageFindings)
  const urls = pages.map((p) => p.url)
  const { score } = await client<Run>('GET', `/scans/${scanId}/runs/${run}/overview`)
  const expectedResult = readExpected()
  const failed: Record<string, string> = {}
  for (const { id, url, failure } of filterByStatus('failed')) {
    const path = toPath(url)
    failed[path] = String(failure)
    if (failure === expectedResult.failed[path]) continue
    const { detail, attempts } = await client<{ detail: string | null; attempts: number }>('GET', `/pages/${id}`)
    failed[path] += ` in attempt ${attempts}: ${detail}`
  }
  return {
    duplicateUrls: urls.filter((u, i) => urls.indexOf(u) !== i),
    actualResult: {
      score,
      completed,
      failed,
      excluded: Object.fromEntries(filterByStatus('excluded').map((p) => [toPath(p.url), p.exclusion])),
      otherDomain: filterByStatus('otherDomainIgnored')
        .map((p) => toPath(p.url))
        .sort(),
    },
    expectedResult: {
      score: expectedResult.score,
      completed: expectedResult.completed,
      failed: expectedResult.failed,
      excluded: expectedResult.excluded,
      otherDomain: [...expectedResult.otherDomain].sort(),
    },
  }
}

/** Waits until no run of the scan is active, and returns the newest. */
export async function waitForRunEnd(client: Client, scanId: string, withinMs: number): Promise<Run> {
  const active = new Set(['initial', 'queued', 'starting', 'running', 'retrying'])
  for (const start = performance.now(); ; await new Promise((r) => setTimeout(r, 500))) {
    const { content } = await client<PageOf<Run>>('GET', `/scans/${scanId}/runs?size=1`)
    if (content[0] && !active.has(content[0].status)) return content[0]
    if (performance.now() - start > withinMs) throw new Error(`The run did not end: ${JSON.stringify(content[0])}`)
  }
}
