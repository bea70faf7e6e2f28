/**
 * How far the PDF checker agrees with the expected results of the PDF/UA-1 conformance files, per clause, and what it
 * costs. `npm run bench:pdf [folder of further PDFs]`. PDF_CORPUS names the folder with expected.json;
 * VERAPDF_JARS, a folder of veraPDF's jar files, adds its verdicts and times where a Java runtime is at hand.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { askVeraPdf, check, compare, tally } from './verdict.ts'

type Expected = { file: string; clause: string; test: number; expect: 'pass' | 'fail' }

const corpus = process.env.PDF_CORPUS
if (!corpus || !existsSync(join(corpus, 'expected.json'))) {
  console.error('PDF_CORPUS must name the folder that holds expected.json and the conformance files.')
  process.exit(2)
}

let peak = 0
const alsoRight: Record<string, readonly string[]> = {
  '7.2-3': ['7.2-16', '7.2-39'],
  '7.2-19': ['7.2-40'],
  '7.18.7-1': ['7.11-1'],
}

function ownCorpus(folder: string): string[] {
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected[]
  const clauses = new Map<
    string,
    { files: number; right: number; falseAlarms: number; missed: number; named: number }
  >()
  const times: number[] = []
  let pages = 0
  for (const { file, clause, test, expect } of expected) {
    const row = clauses.get(clause) ?? { files: 0, right: 0, falseAlarms: 0, missed: 0, named: 0 }
    clauses.set(clause, row)
    const found = check(join(folder, file))
    peak = Math.max(peak, process.memoryUsage().rss)
    times.push(found.ms)
    pages += found.pages
    const failed = found.tests.size > 0 || found.trouble !== null
    row.files += 1
    row.right += failed === (expect === 'fail') ? 1 : 0
    row.falseAlarms += failed && expect === 'pass' ? 1 : 0
    const key = `${clause}-${test}`
    const named = found.tests.has(key) || (alsoRight[key]?.some((one) => found.tests.has(one)) ?? false)
    if (expect === 'fail') row.missed += named ? 0 : 1
    row.named += named ? 1 : 0
  }
  console.log('clause      files  right  false alarms  named rule missed')
  for (const [clause, row] of clauses)
    console.log(
      clause.padEnd(10),
      ...[row.files, row.right, row.falseAlarms, row.missed].map((n, i) =>
        String(n).padStart([6, 6, 13, 18][i]!),
      ),
    )
  const sum = (key: 'files' | 'right' | 'named') => [...clauses.values()].reduce((n, row) => n + row[key], 0)
  const fails = expected.filter(({ expect }) => expect === 'fail').length
  times.sort((a, b) => a - b)
  const total = times.reduce((a, b) => a + b, 0)
  console.log(`verdict right: ${sum('right')} of ${sum('files')}; named rule: ${sum('named')} of ${fails}`)
  console.log(
    `${(total / pages).toFixed(1)} ms a page (median file ${times[times.length >> 1]!.toFixed(1)} ms, slowest ${times.at(-1)!.toFixed(0)} ms), peak ${(peak / 2 ** 20).toFixed(0)} MiB`,
  )
  return expected.map(({ file }) => join(folder, file))
}

const pdfsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.pdf$/i.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

function besideVeraPdf(jars: string, files: readonly string[]): void {
  const own = new Map(files.map((file) => [file, check(file)]))
  const { results, ms } = askVeraPdf(jars, files)
  const compared = compare(own, results)
  const different = compared.filter(({ more, less }) => more.length + less.length > 0)
  for (const { file, more, less } of different)
    console.log(`differs: ${file} only ours [${more.join(' ')}] only veraPDF's [${less.join(' ')}]`)
  const ownMs = [...own.values()].reduce((sum, one) => sum + one.ms, 0)
  const verdict = compared.filter(({ sameVerdict }) => sameVerdict).length
  console.log(
    `beside veraPDF, ${compared.length} files that both read: same verdict ${verdict}, the very same tests ${compared.length - different.length}`,
  )
  console.log(`  only ours: ${tally(different.flatMap(({ more }) => more))}`)
  console.log(`  only veraPDF's: ${tally(different.flatMap(({ less }) => less))}`)
  console.log(
    `  ${(ownMs / 1000).toFixed(1)} s of ours, ${(ms / 1000).toFixed(1)} s of veraPDF's with its start`,
  )
  const troubles = [...own].filter(([, { trouble }]) => trouble !== null)
  const crashes = troubles.filter(([, { trouble }]) => trouble!.startsWith('crash'))
  console.log(`  not read by us: ${troubles.length}, of them crashes: ${crashes.length}`)
  for (const [file, { trouble }] of crashes) console.log(`  ${file}: ${trouble}`)
}

// Once for the sake of compiled code: the second time is what a scan of many files sees.
for (const { file } of JSON.parse(readFileSync(join(corpus, 'expected.json'), 'utf8')) as Expected[])
  check(join(corpus, file))
const files = ownCorpus(corpus)
const more = process.argv[2] ? pdfsIn(process.argv[2]) : []
const jars = process.env.VERAPDF_JARS
if (jars) besideVeraPdf(jars, [...files, ...more])
else console.log('VERAPDF_JARS is not set: no comparison with veraPDF.')
