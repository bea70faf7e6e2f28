import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { FindingsByUrl } from './contender.ts'
import { measure, type Measure } from './measure.ts'
import { computeMedian } from './median.ts'
import { serveFolder } from './serve-folder.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: '/usr/share/doc/python3-doc/html' },
    pages: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '2' },
    only: { type: 'string', default: 'clearway,crawlee,pa11y,axe-builder,bare' },
  },
})
if (!existsSync(values.folder)) {
  console.error(
    `There is no ${values.folder}. Install documentation (apt-get install python3-doc), or name a folder of HTML: --folder`,
  )
  process.exit(2)
}
const browser = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
const benchFolder = import.meta.dirname
const site = await serveFolder(values.folder)
const pageCount = Number(values.pages)
// Spread evenly over the whole set, so that the sample does not depend on one chapter.
const step = Math.max(1, Math.floor(site.pages.length / pageCount))
const urls = site.pages.filter((_, i) => i % step === 0).slice(0, pageCount)
const work = mkdtempSync(join(tmpdir(), 'clearway-bench-'))
const urlFile = join(work, 'urls')
writeFileSync(urlFile, urls.join('\n'))

type Result = Measure & { findingsByUrl: FindingsByUrl }

async function runContender(name: string): Promise<Result> {
  const foundFile = join(work, `${name}.jsonl`)
  const measured = await measure(join(benchFolder, `${name}.ts`), [urlFile, foundFile, browser, values.concurrency])
  const resultRows = readFileSync(foundFile, 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l) as [string, string[]])
  return { ...measured, findingsByUrl: Object.fromEntries(resultRows) }
}

const results: Record<string, Result[]> = {}
const contenderNames = values.only.split(',')
for (let round = 1; round <= Number(values.rounds); round++)
  for (const name of contenderNames) {
    const r = await runContender(name)
    ;(results[name] ??= []).push(r)
    const cpuByKind = Object.entries(r.cpuByKind)
      .map(([kind, seconds]) => `${kind} ${((seconds / urls.length) * 1000).toFixed(0)}`)
      .join(', ')
    console.log(
      `round ${round} ${name.padEnd(12)} ${(r.cpu / urls.length).toFixed(2)} CPU s/page, ${((urls.length / r.wall) * 60).toFixed(0)} pages/min, peak ${r.peakMb} MB; CPU ms/page: ${cpuByKind}`,
    )
  }
site.close()

console.log(
  `\n${urls.length} pages of ${values.folder}, ${values.concurrency} at once, ${cpus().length} cores, medians of ${values.rounds} rounds`,
)
const figures = Object.fromEntries(
  contenderNames.map((n) => [
    n,
    {
      cpu: computeMedian(results[n]!.map((r) => r.cpu / urls.length)),
      rate: computeMedian(results[n]!.map((r) => (urls.length / r.wall) * 60)),
      memory: computeMedian(results[n]!.map((r) => r.peakMb)),
    },
  ]),
)
const ours = figures.clearway
if (ours)
  for (const [name, f] of Object.entries(figures))
    if (name !== 'clearway')
      console.log(
        `clearway / ${name.padEnd(12)} CPU ${(ours.cpu / f.cpu).toFixed(2)}, pages a minute ${(ours.rate / f.rate).toFixed(2)}, peak memory ${(ours.memory / f.memory).toFixed(2)}`,
      )

// Speed counts only with equal results: compared by rule and target. pa11y names elements differently.
const comparable = Object.entries(results).filter(([name]) => name !== 'pa11y')
const reference = results['axe-builder']?.[0]?.findingsByUrl
let different = 0
if (reference)
  for (const [name, runResults] of comparable)
    for (const { findingsByUrl } of runResults)
      for (const url of urls) {
        const [a, b] = [reference[url] ?? [], findingsByUrl[url] ?? ['not visited']]
        if (a.join('\n') === b.join('\n')) continue
        different++
        const lostFindings = a.filter((l) => !b.includes(l))
        const extraFindings = b.filter((l) => !a.includes(l))
        console.log(
          `${name} differs on ${url}: ${lostFindings.length} lost, ${extraFindings.length} more; first: ${lostFindings[0] ?? extraFindings[0]}`,
        )
      }
console.log(reference ? `${different} differences to AxeBuilder` : 'not compared: axe-builder did not run')
process.exit(different > 0 ? 1 : 0)
