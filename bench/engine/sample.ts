import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Report } from '../../packages/cli/src/schema.ts'
import { measure } from './measure.ts'
import { serveFolder } from './serve-folder.ts'

// Runs the command line on a third-party site, and compares a sample of its pages with AxeBuilder.
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: '/usr/share/doc/python3-doc/html' },
    pages: { type: 'string', default: '300' },
    sample: { type: 'string', default: '30' },
  },
})
if (!existsSync(values.folder)) {
  console.error(`There is no ${values.folder}: --folder names a folder of HTML.`)
  process.exit(2)
}
const browser = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
const site = await serveFolder(values.folder)
const work = mkdtempSync(join(tmpdir(), 'clearway-sample-'))
const reportFile = join(work, 'report.json')
const cli = join(import.meta.dirname, '../../packages/cli/src/main.ts')
const scan = ['scan', `${site.url}/index.html`, '--allow-private', '--page-limit', values.pages]
const m = await measure(cli, [...scan, '--format', 'json', '--output', reportFile])
const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report
const { totals } = report
console.log(
  `${totals.pages} pages: ${totals.completed} completed, ${totals.failed} failed, ${totals.excluded} excluded, ${totals.issues} issues, score ${report.score}`,
)
console.log(
  `${m.wall.toFixed(0)} s, ${((totals.completed / m.wall) * 60).toFixed(0)} pages/min, ${(m.cpu / totals.completed).toFixed(2)} CPU s/page, peak ${m.peakMb} MB`,
)
for (const p of report.pages.filter((p) => p.status === 'failed')) console.log(`failed: ${p.url}: ${p.failure?.reason}`)

const completedPages = report.pages.filter((p) => p.status === 'completed')
const sample = completedPages.filter((_, i) => i % Math.max(1, Math.floor(completedPages.length / Number(values.sample))) === 0)
const chosen = sample.slice(0, Number(values.sample))
writeFileSync(join(work, 'urls'), chosen.map((p) => p.url).join('\n'))
const reference = join(import.meta.dirname, 'axe-builder.ts')
await measure(reference, [join(work, 'urls'), join(work, 'found'), browser, '1'])
site.close()
const theirs = new Map(
  readFileSync(join(work, 'found'), 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l) as [string, string[]]),
)
let different = 0
for (const page of chosen) {
  const ours = page.issues
    .map((i) => `${i.rule} ${i.severity === 'needs review' ? 'incomplete' : 'fails'} ${JSON.stringify(i.target)}`)
    .sort()
  const axeLines = theirs.get(page.url) ?? []
  if (ours.join('\n') === axeLines.join('\n')) continue
  different++
  console.log(`differs: ${page.url}: ${ours.length} ours, ${axeLines.length} theirs`)
}
console.log(
  `${chosen.length - different} of ${chosen.length} sampled pages equal to AxeBuilder's, rule by rule, target by target`,
)
process.exit(different > 0 ? 1 : 0)
