import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from './measure.ts'
import { serveFolder } from './serve-folder.ts'

/**
 * What a second run of an unchanged site costs, beside the first, beside one that does not look for what is unchanged, beside
 * the bare loop and crawlee; and whether anything differs when all that is unchanged is analysed all the same.
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
const here = import.meta.dirname
const site = await serveFolder(values.folder)
const step = Math.max(1, Math.floor(site.pages.length / Number(values.pages)))
const urls = site.pages.filter((_, i) => i % step === 0).slice(0, Number(values.pages))
const work = mkdtempSync(join(tmpdir(), 'clearway-bench-'))
const urlFile = join(work, 'urls')
const knownFile = join(work, 'known')
writeFileSync(urlFile, urls.join('\n'))

type Row = { cpu: number; rate: number }
const rows: Record<string, Row[]> = {}
async function run(name: string, file: string, args: string[]): Promise<void> {
  const { cpu, wall, output } = await measure(join(here, file), [urlFile, ...args])
  const row = { cpu: cpu / urls.length, rate: (urls.length / wall) * 60 }
  ;(rows[name] ??= []).push(row)
  console.log(
    `${name.padEnd(14)} ${row.cpu.toFixed(2)} CPU s/page, ${row.rate.toFixed(0)} pages/min ${output.trim()}`,
  )
}
const ours = (name: string, audit: string) =>
  run(name, 'reuse-run.ts', [knownFile, browser, values.concurrency, audit])
for (let round = 1; round <= Number(values.rounds); round++) {
  rmSync(knownFile, { force: true })
  await ours('without', 'off')
  rmSync(knownFile, { force: true })
  await ours('first', '5')
  await ours('again', '5')
  await ours('audited', '100')
  for (const other of values.others.split(',').filter(Boolean))
    await run(other, `${other}.ts`, [join(work, other), browser, values.concurrency])
}
site.close()
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
console.log(
  `${urls.length} pages, ${values.concurrency} at once, ${cpus().length} cores, medians of ${values.rounds} rounds`,
)
console.table(
  Object.fromEntries(
    Object.entries(rows).map(([name, all]) => [
      name,
      {
        'CPU s/page': median(all.map(({ cpu }) => cpu)).toFixed(2),
        'pages/min': median(all.map(({ rate }) => rate)).toFixed(0),
      },
    ]),
  ),
)
