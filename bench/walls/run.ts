import { parseArgs } from 'node:util'
import {
  findDisappearedPages,
  isMassDisappearance,
  isShortened,
  minProvingShare,
} from '../../packages/contract/src/monitor/page/wall/model.ts'
import { startSite } from '../../fixtures/site/serve.ts'
import { sitePages } from '../../fixtures/site/site.ts'
import { serveFolder } from '../engine/serve-folder.ts'
import { listPageSets } from './sets.ts'
import { closeBrowser, isCompleted, isProving, isWalled, type Visit, type VisitedPage, visitPages } from './visit.ts'

/**
 * False alarms: counts pages that are called walled although nothing stands in front of their content, in a first run, in a
 * second one, and in a run of the next version. Issues that are missing in the next version have to close.
 *
 *   npm run -s walls -- --pages 60 --only documentation,library
 */
const { values } = parseArgs({
  options: {
    /** Pages of each set, evenly spread over all it has. */
    pages: { type: 'string', default: '60' },
    only: { type: 'string', default: 'documentation,library,versions,fixture' },
    /** Part of the names of the sets to visit. */
    name: { type: 'string', default: '' },
  },
})
const begun = performance.now()
const kinds = new Set(values.only.split(','))

type Row = {
  pages: number
  completed: number
  walled: number
  'walled, again': number
  'walled runs': number
  missing?: number
  closed?: number
  'held by walls'?: number
  'held by other notices'?: number
  'closed by the next run'?: number
}
const table: Record<string, Row> = {}

function reportWalled(name: string, run: string, visit: Visit): number {
  const walledPages = [...visit.values()].filter(isWalled)
  for (const { path, notices, outcome } of walledPages)
    console.log(
      `WALLED ${name} ${run} ${path}: ${notices.join(' ')} ${JSON.stringify('evidence' in outcome && outcome.evidence)}`,
    )
  return walledPages.length
}
const countWalledRuns = (visits: readonly Visit[]) =>
  visits.filter((visit) => {
    const pages = [...visit.values()]
    return pages.filter(isWalled).length * 2 > pages.filter(isCompleted).length
  }).length

const listIssues = (page: VisitedPage | undefined): { issue: string; elementKey: string }[] =>
  isCompleted(page)
    ? page.outcome.findings.map(({ rule, elementKey, ordinal }) => ({ issue: `${rule} ${elementKey} ${ordinal}`, elementKey }))
    : []

const describe = (page: VisitedPage | undefined): string =>
  !page
    ? 'not visited'
    : page.outcome.kind === 'completed'
      ? page.notices.join(' ')
      : `${page.outcome.kind} ${page.outcome.reason} ${page.outcome.detail}`

/** Pages that a run compares before it closes issues on them. */
const listChangedPages = (older: Visit, newer: Visit) =>
  [...older].flatMap(([path, page]) => {
    const next = newer.get(path)
    if (!isCompleted(page) || !isCompleted(next) || isWalled(next)) return []
    const [previous, evidence] = [page.outcome.evidence, next.outcome.evidence]
    if (!previous || !evidence) return []
    const hasLostWords = (next.retained ?? 1) < minProvingShare
    return hasLostWords || isShortened({ evidence, previous }) ? [{ path, previous, evidence, hasLostWords }] : []
  })

/** Issues of the older version that the newer one no longer shows, and what a run says of them. */
function countMissing(older: Visit, newer: Visit): Partial<Row> {
  const counts = { missing: 0, closed: 0, walled: 0, other: 0, doubtful: 0, kept: 0, disappeared: 0 }
  const disappearedPaths = new Set(findDisappearedPages(listChangedPages(older, newer)).map(({ path }) => path))
  for (const [path, page] of older) {
    const next = newer.get(path)
    const nextIssues = new Set(listIssues(next).map(({ issue }) => issue))
    const isGone = next?.outcome.kind === 'failed' && next.outcome.reason === 'http-404'
    const missingIssues = listIssues(page).filter(({ issue }) => !nextIssues.has(issue))
    const openIssues = missingIssues.filter(({ elementKey }) => !isGone && !(next && isProving(next, elementKey)))
    if (openIssues.length > 0) console.log(`NOT CLOSED ${path}: ${openIssues.length} issues, ${describe(next)}`)
    counts.kept += listIssues(page).length - missingIssues.length
    counts.missing += missingIssues.length
    if (next && isWalled(next)) counts.walled += missingIssues.length
    else counts.other += openIssues.length
    counts.closed += next && isWalled(next) ? 0 : missingIssues.length - openIssues.length
    if (disappearedPaths.has(path)) counts.disappeared += missingIssues.length
    if (isGone || (next?.retained ?? 1) < minProvingShare) counts.doubtful += missingIssues.length
  }
  const isHeld = isMassDisappearance(counts.doubtful, counts.missing + counts.kept)
  return {
    missing: counts.missing,
    closed: counts.closed,
    'held by walls': counts.walled,
    'held by other notices': counts.other,
    'closed by the next run': isHeld ? counts.doubtful : counts.disappeared,
  }
}

async function measureFolders(name: string, folders: readonly string[]): Promise<void> {
  const first = await serveFolder(folders[0]!)
  const origin = first.url
  const allPaths = first.pages.map((url) => url.slice(origin.length))
  const step = Math.max(1, allPaths.length / Number(values.pages))
  const paths = allPaths.filter((_, n) => Math.floor(n / step) > Math.floor((n - 1) / step))
  const firstVisit = await visitPages(origin, paths, null)
  const secondVisit = await visitPages(origin, paths, firstVisit)
  const visits = [firstVisit, secondVisit]
  first.close()
  if (folders[1] !== undefined) {
    const next = await serveFolder(folders[1], Number(new URL(origin).port))
    visits.push(await visitPages(origin, paths, secondVisit))
    next.close()
  }
  table[name] = {
    pages: paths.length,
    completed: [...firstVisit.values()].filter(isCompleted).length,
    walled: reportWalled(name, 'first', firstVisit),
    'walled, again': visits.slice(1).reduce((sum, visit, n) => sum + reportWalled(name, `run ${n + 2}`, visit), 0),
    'walled runs': countWalledRuns(visits),
    ...(visits[2] && countMissing(secondVisit, visits[2])),
  }
}

async function measureFixture(): Promise<void> {
  const site = await startSite()
  const paths = sitePages.map(({ path }) => path)
  const firstVisit = await visitPages(site.url, paths, null)
  const secondVisit = await visitPages(site.url, paths, firstVisit)
  await site.close()
  table['site with known faults'] = {
    pages: paths.length,
    completed: [...firstVisit.values()].filter(isCompleted).length,
    walled: reportWalled('fixture', 'first', firstVisit),
    'walled, again': reportWalled('fixture', 'second', secondVisit),
    'walled runs': countWalledRuns([firstVisit, secondVisit]),
  }
}

for (const { kind, name, folders } of listPageSets()) {
  if (!kinds.has(kind) || !name.includes(values.name)) continue
  await measureFolders(name, folders)
  console.log(`${name}: ${((performance.now() - begun) / 60_000).toFixed(1)} min`)
}
if (kinds.has('fixture')) await measureFixture()
await closeBrowser()
console.table(table)
const sums = Object.values(table)
const walledCount = sums.reduce((sum, row) => sum + row.walled + row['walled, again'], 0)
const missingCount = sums.reduce((sum, row) => sum + (row.missing ?? 0), 0)
const heldCount = sums.reduce((sum, row) => sum + (row['held by walls'] ?? 0), 0)
console.log(`${walledCount} pages walled, ${heldCount} of ${missingCount} missing issues not closed because of it`)
if (walledCount > 0 || heldCount > 0.01 * missingCount) process.exitCode = 1
