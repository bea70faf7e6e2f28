import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from './measure.ts'
import { computeMedian } from './median.ts'
import { serveFolder } from './serve-folder.ts'

/**
 * Cost of a second run of an unchanged site, compared to the first, to one without reuse, to the bare loop and to crawlee;
 * and any difference when all unchanged pages are analyzed again.
 *
 *   npm run -s reuse -- --folder /usr/share/doc/python3-doc/html --pages 24 --rounds 3
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: '/usr/share/doc/python3-doc/html' },
    pages: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '2' },
    others: { type: 'string', default: 'bare,crawlee' },
  },
})
const browser = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
const benchFolder = import.meta.dirname
const site = await serveFolder(values.folder)
const step = Math.max(1, Math.floor(site.pages.length / Number(values.pages)))
const urls = site.pages.filter((_, i) => i % step === 0).slice(0, Number(values.pages))
const work = mkdtempSync(join(tmpdir(), 'clearway-bench-'))
const urlFile = join(work, 'urls')
const knownFile = join(work, 'known')
writeFileSync(urlFile, urls.join('\n'))

type Measurement = { cpu: number; rate: number }
const measurements: Record<string, Measurement[]> = {}
async function runContender(name: string, file: string, args: string[]): Promise<void> {
  const { cpu, wall, output } = await measure(join(benchFolder, file), [urlFile, ...args])
  const measurement = { cpu: cpu / urls.length, rate: (urls.length / wall) * 60 }
  ;(measurements[name] ??= []).push(measurement)
  console.log(
    `${name.padEnd(14)} ${measurement.cpu.toFixed(2)} CPU s/page, ${measurement.rate.toFixed(0)} pages/min ${output.trim()}`,
  )
}
const runClearway = (name: string, audit: string) =>
  runContender(name, 'reuse-run.ts', [knownFile, browser, values.concurrency, audit])
for (let round = 1; round <= Number(values.rounds); round++) {
  rmSync(knownFile, { force: true })
  await runClearway('without', 'off')
  rmSync(knownFile, { force: true })
  await runClearway('first', '5')
  await runClearway('again', '5')
  await runClearway('audited', '100')
  for (const contender of values.others.split(',').filter(Boolean))
    await runContender(contender, `${contender}.ts`, [join(work, contender), browser, values.concurrency])
}
site.close()
console.log(`${urls.length} pages, ${values.concurrency} at once, ${cpus().length} cores, medians of ${values.rounds} rounds`)
console.table(
  Object.fromEntries(
    Object.entries(measurements).map(([name, contenderRows]) => [
      name,
      {
        'CPU s/page': computeMedian(contenderRows.map(({ cpu }) => cpu)).toFixed(2),
        'pages/min': computeMedian(contenderRows.map(({ rate }) => rate)).toFixed(0),
      },
    ]),
  ),
)
