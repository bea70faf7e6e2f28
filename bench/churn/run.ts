import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildHtml, sitePages } from '../../fixtures/site/site.ts'
import { parseArguments } from '../../packages/cli/src/arguments.ts'
import { parseBaseline } from '../../packages/cli/src/baseline.ts'
import { buildGateReport, compareScan, writeBaseline } from '../../packages/cli/src/gate.ts'
import { runScan } from '../../packages/cli/src/scan.ts'
import { serveFolder } from '../engine/serve-folder.ts'
import { fetchVersion } from '../identity/scan.ts'
import { sites } from '../identity/sites.ts'
import {
  buildPage,
  type EditName,
  faults,
  numberElements,
  pageEdits,
  readElementNumber,
  serverEdits,
  toAssetPath,
} from './edits.ts'

/**
 * Checks that harmless edits of a site make nothing new for the gate, and that each planted fault makes exactly one issue new: on
 * the site with known faults, and on five published sites. `by axe`: new results of axe-core for an element that had none by that
 * rule before the edit, for example because a link has another neighbor. Each element has a number that tells it.
 *
 *   npm run -s churn -- [--only fixture,lxml] [--edits reordering] [--page PATH] [--pairs] [--show]
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    edits: { type: 'string' },
    page: { type: 'string' },
    pairs: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
  },
})

type Served = { status: number; type: string; body: Buffer }
type Source = { name: string; pages: readonly string[]; read: (path: string) => Promise<Served> }
const fixture: Source = {
  name: 'fixture',
  pages: sitePages.map(({ path }) => path),
  read: async (path) => {
    const html = buildHtml(path, 'http://elsewhere.invalid')
    return html === null
      ? { status: 404, type: 'text/plain', body: Buffer.from('') }
      : { status: 200, type: 'text/html; charset=utf-8', body: Buffer.from(html) }
  },
}
const truth = JSON.parse(readFileSync(join(import.meta.dirname, '../identity/truth.json'), 'utf8')) as Record<string, object>

async function openPublishedSite(site: (typeof sites)[number]): Promise<Source & { close: () => void }> {
  const served = await serveFolder(fetchVersion(site, site.versions[1]))
  return {
    name: site.name,
    pages: Object.keys(truth[site.name] ?? {}).map((page) => `/${page}`),
    read: async (path) => {
      const response = await fetch(served.url + path)
      const body = Buffer.from(await response.arrayBuffer())
      return { status: response.status, type: response.headers.get('content-type') ?? '', body }
    },
    close: () => served.close(),
  }
}

type Variant = { edits: ReadonlySet<EditName>; plant?: (html: string) => string }
/** Serves a site after edits; a fault is planted on its first page. */
async function serveVariant({ read, pages }: Source, { edits, plant }: Variant) {
  const buildBody = (pathname: string, { type, body }: Served): Buffer | string => {
    if (!type.startsWith('text/html')) return body
    const html = numberElements(body.toString('utf8'))
    return buildPage(plant && pathname === pages[0] ? plant(html) : html, edits)
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.invalid')
    void read(toAssetPath(pathname)).then((served) =>
      response.writeHead(served.status, { 'content-type': served.type }).end(buildBody(pathname, served)),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const host = edits.has('another host and port') ? 'localhost' : '127.0.0.1'
  const parameter = edits.has('a renamed query parameter') ? '?view=all' : '?tab=all'
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  return { urls: pages.map((page) => origin + page + parameter), close: () => server.close() }
}

async function scanVariant(source: Source, variant: Variant) {
  const served = await serveVariant(source, variant)
  const parsed = parseArguments(['scan', ...served.urls, '--depth', '0', '--allow-private', '--no-sandbox', '--order', 'breadth'])
  if (parsed.kind !== 'scan') throw new Error(JSON.stringify(parsed))
  const result = await runScan(parsed.arguments, '0.0.0', new AbortController().signal, null)
  served.close()
  if (result.kind === 'nothing') throw new Error(result.message)
  return { scanArguments: parsed.arguments, result }
}

/** An element with the rule that reports it. */
const nameResult = ({ url, rule, html }: { url: string; rule: string; html: string }): string | null => {
  const elementNumber = readElementNumber(html)
  return elementNumber === null ? null : `${new URL(url).pathname} ${rule} ${elementNumber}`
}

const rows: Record<string, Record<string, string | number>> = {}
let failureCount = 0
async function checkVariant(
  source: Source,
  { baselineText, baselineResults }: { baselineText: string; baselineResults: ReadonlySet<string | null> },
  { name, expectedRules, ...variant }: Variant & { name: string; expectedRules: readonly string[] },
) {
  const { scanArguments, result } = await scanVariant(source, variant)
  const comparison = compareScan(scanArguments, result, parseBaseline(baselineText, source.name))
  const report = buildGateReport(scanArguments, result, comparison)
  const newIssues = [...report.newIssues, ...report.otherNewIssues]
  const isByAxe = (issue: (typeof newIssues)[number]) => nameResult(issue) !== null && !baselineResults.has(nameResult(issue))
  const foundIssues = newIssues.filter((issue) => !isByAxe(issue))
  const isRight =
    foundIssues.length === expectedRules.length && foundIssues.every(({ rule }, index) => rule === expectedRules[index])
  if (!isRight) failureCount += 1
  const { known: knownCount, fixed: fixedCount, notChecked: notCheckedCount } = report.totals
  const row = {
    new: foundIssues.length,
    'by axe': newIssues.length - foundIssues.length,
    known: knownCount,
    fixed: fixedCount,
    'not checked': notCheckedCount,
    right: isRight ? 'yes' : 'NO',
  }
  rows[`${source.name}: ${name}`] = row
  console.log(`${source.name}: ${name}: ${JSON.stringify(row)}`)
  if (newIssues.length > expectedRules.length || !isRight || values.show)
    for (const { url, rule, target, html } of newIssues)
      console.log(`  ${rule} ${new URL(url).pathname} ${JSON.stringify(target)} ${html.slice(0, 150)}`)
  if (values.show)
    for (const { state, page, rule, element, key, finding } of comparison.issues.filter((issue) =>
      ['new', 'fixed'].includes(issue.state),
    ))
      console.log(`  ${state}: ${rule} ${page} <${element}> ${finding?.elementKey ?? key}`)
}

const isChosenEdit = (name: string) => !values.edits || values.edits.split(',').includes(name)

async function checkSite(site: Source) {
  const source = { ...site, pages: site.pages.filter((page) => !values.page || page === values.page) }
  const edits: readonly EditName[] = [...pageEdits, ...serverEdits]
  const { scanArguments, result } = await scanVariant(source, { edits: new Set() })
  const baselineText = writeBaseline(scanArguments, result)
  const baselineResults = new Set(
    result.report.pages.flatMap(({ url, issues }) => issues.map(({ rule, html }) => nameResult({ url, rule, html }))),
  )
  const baseline = { baselineText, baselineResults }
  console.log(`${source.name}: ${source.pages.length} pages, ${baselineText.split('\n').length - 2} issues`)
  const variants = [
    { name: 'nothing', edits: new Set<EditName>() },
    ...edits.map((name) => ({ name, edits: new Set([name]) })),
    ...(values.pairs
      ? edits.flatMap((first, index) =>
          edits.slice(index + 1).map((second) => ({ name: `${first} and ${second}`, edits: new Set([first, second]) })),
        )
      : [{ name: 'all at once', edits: new Set(edits) }]),
  ]
  for (const variant of variants.filter(({ name }) => isChosenEdit(name)))
    await checkVariant(source, baseline, { ...variant, expectedRules: [] })
  for (const { name, rule, plant } of faults.filter((fault) => isChosenEdit(fault.name)))
    await checkVariant(source, baseline, { name, edits: new Set(), plant, expectedRules: [rule] })
}

const isChosen = (name: string) => !values.only || values.only.split(',').includes(name)
if (isChosen('fixture')) await checkSite(fixture)
for (const site of sites.filter(({ name }) => isChosen(name))) {
  const source = await openPublishedSite(site)
  await checkSite(source)
  source.close()
}
console.table(rows)
console.log(`${failureCount} of ${Object.keys(rows).length} not as expected`)
if (failureCount > 0) process.exitCode = 1
