import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { serveFolder } from '../engine/serve-folder.ts'
import { pickUrls } from './pick-urls.ts'

/**
 * Shows that driving a page does not change the findings of axe-core on it as it arrives: scans the same pages twice without
 * driving and once with it, by the command line, and compares these findings page by page. Exits with 1 if a page differs only when driven.
 *
 *   npm run -s driven:axe -- --folder /srv/manual --part book --part reference --pages 10
 */
const { values } = parseArgs({
  options: {
    /** Pages of each part of the folder, evenly spread over all it has. */
    pages: { type: 'string', default: '10' },
    folder: { type: 'string', default: '.' },
    part: { type: 'string', multiple: true, default: [''] },
    mode: { type: 'string', default: 'every' },
  },
})
type Issue = { engine: string; rule: string; severity: string; target: unknown; html: string; states: string[] }
type Page = { url: string; status: string; driven: { level: string; isPartial: boolean } | null; issues: Issue[] }

const site = await serveFolder(values.folder)
const paths = pickUrls(site, values.part, Number(values.pages)).map((url) => new URL(url).pathname)
const workFolder = mkdtempSync(join(tmpdir(), 'clearway-driven-'))
const urlFile = join(workFolder, 'urls')
writeFileSync(urlFile, paths.join('\n'))
site.close()

/** Scans the pages in a process of its own, by a server of its own, so that nothing of one scan is left for the other. */
function scanPages(mode: string, reportName: string): Map<string, Page> {
  const reportFile = join(workFolder, `${reportName}.json`)
  const cli = resolve(import.meta.dirname, '../../packages/cli/src/main.ts')
  const options = ['--depth', '0', '--driven', mode, '--format', 'json', '--output', reportFile]
  const args = [
    resolve(import.meta.dirname, '../../scripts/node24.mjs'),
    cli,
    'scan',
    '--serve',
    values.folder,
    '--urls',
    urlFile,
  ]
  const { stderr } = spawnSync(process.execPath, [...args, ...options], { encoding: 'utf8' })
  // Pages that failed, or whose content was not seen, have a report, too.
  if (!existsSync(reportFile)) throw new Error(`${mode}: ${stderr}`)
  const { pages } = JSON.parse(readFileSync(reportFile, 'utf8')) as { pages: Page[] }
  return new Map(pages.map((page) => [new URL(page.url).pathname, page]))
}

const listBaseFindings = (page: Page | undefined): string[] =>
  (page?.issues ?? [])
    .filter(({ engine, states }) => engine === 'axe' && states.length === 0)
    .map(({ rule, severity, target, html }) => JSON.stringify([rule, severity, target, html]))
    .sort()

const plainPages = scanPages('off', 'plain')
const controlPages = scanPages('off', 'control')
const drivenPages = scanPages(values.mode, 'driven')
const totals = { findings: 0, unstable: 0, differing: 0 }
for (const [path, plainPage] of plainPages) {
  const findings = listBaseFindings(plainPage)
  totals.findings += findings.length
  const isSame = (page: Page | undefined) => findings.join('\n') === listBaseFindings(page).join('\n')
  // Random ids and data differ in each load.
  if (!isSame(controlPages.get(path))) totals.unstable += 1
  else if (!isSame(drivenPages.get(path))) {
    totals.differing += 1
    console.log(`differs: ${path}`)
  }
}
const driven = [...drivenPages.values()].filter(({ driven: drive }) => drive?.level === 'full')
console.log(
  `${plainPages.size} pages, ${totals.findings} findings of axe-core; driven ${driven.length}, ` +
    `${driven.filter(({ driven: drive }) => drive!.isPartial).length} of them in part; ` +
    `${totals.unstable} differ without driving, too; ${totals.differing} differ only with it`,
)
rmSync(workFolder, { recursive: true })
process.exit(totals.differing === 0 ? 0 : 1)
