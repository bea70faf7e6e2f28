import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from './measure.ts'
import { serveFolder } from './serve-folder.ts'

// Memory of one run over many pages, sampled each second: it must not grow with the number of pages.
const { values } = parseArgs({
  options: { folder: { type: 'string', default: '/usr/share/doc/python3-doc/html' }, pages: { type: 'string', default: '500' } },
})
if (!existsSync(values.folder)) {
  console.error(`There is no ${values.folder}: --folder names a folder of HTML.`)
  process.exit(2)
}
const site = await serveFolder(values.folder)
const pageCount = Number(values.pages)
// A small set is repeated with another query parameter, which creates new URLs of the same pages.
const urls = Array.from(
  { length: pageCount },
  (_, i) => `${site.pages[i % site.pages.length]}?round=${Math.floor(i / site.pages.length)}`,
)
const work = mkdtempSync(join(tmpdir(), 'clearway-bench-'))
writeFileSync(join(work, 'urls'), urls.join('\n'))
const browser = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
const { memory, wall, cpu } = await measure(join(import.meta.dirname, 'clearway.ts'), [
  join(work, 'urls'),
  join(work, 'found'),
  browser,
  '2',
])
site.close()
const tenth = Math.floor(memory.length / 10)
const computeMean = (startTenth: number) => {
  const samples = memory.slice(startTenth * tenth, (startTenth + 1) * tenth)
  return Math.round(samples.reduce((a, b) => a + b, 0) / samples.length)
}
const means = Array.from({ length: 10 }, (_, i) => computeMean(i))
console.log(
  `${pageCount} pages in ${wall.toFixed(0)} s, ${(cpu / pageCount).toFixed(2)} CPU s/page, ${(((pageCount - 0) / wall) * 60).toFixed(0)} pages/min`,
)
console.log(`mean MB (PSS of the whole tree) by tenths of the run: ${means.join(' ')}`)
console.log(`last tenth / second tenth: ${(means[9]! / means[1]!).toFixed(2)}; peak ${Math.max(...memory)} MB`)
