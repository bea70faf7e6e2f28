/**
 * Agreement of the PDF checker with the expected results of the PDF/UA-1 conformance files, per clause, and its cost. `npm
 * run bench:pdf [folder of further PDFs]`. PDF_CORPUS names the folder with expected.json; VERAPDF_JARS, a folder of
 * veraPDF's jar files, adds its verdicts and times if a Java runtime is available.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { askVeraPdf, checkPdfFile, compareResults, formatTally } from './verdict.ts'

type ExpectedResult = { file: string; clause: string; test: number; expect: 'pass' | 'fail' }

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

function checkCorpus(folder: string): string[] {
  const expectedResults = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as ExpectedResult[]
  const clauses = new Map<string, { files: number; right: number; falseAlarms: number; missed: number; named: number }>()
  const times: number[] = []
  let pages = 0
  for (const { file, clause, test, expect } of expectedResults) {
    const clauseRow = clauses.get(clause) ?? { files: 0, right: 0, falseAlarms: 0, missed: 0, named: 0 }
    clauses.set(clause, clauseRow)
    const checked = checkPdfFile(join(folder, file))
    peak = Math.max(peak, process.memoryUsage().rss)
    times.push(checked.ms)
    pages += checked.pages
    const hasFailed = checked.tests.size > 0 || checked.trouble !== null
    clauseRow.files += 1
    clauseRow.right += hasFailed === (expect === 'fail') ? 1 : 0
    clauseRow.falseAlarms += hasFailed && expect === 'pass' ? 1 : 0
    const key = `${clause}-${test}`
    const isNamed = checked.tests.has(key) || (alsoRight[key]?.some((testKey) => checked.tests.has(testKey)) ?? false)
    if (expect === 'fail') clauseRow.missed += isNamed ? 0 : 1
    clauseRow.named += isNamed ? 1 : 0
  }
  console.log('clause      files  right  false alarms  named rule missed')
  for (const [clause, clauseRow] of clauses)
    console.log(
      clause.padEnd(10),
      ...[clauseRow.files, clauseRow.right, clauseRow.falseAlarms, clauseRow.missed].map((n, i) =>
        String(n).padStart([6, 6, 13, 18][i]!),
      ),
    )
  const sumRows = (key: 'files' | 'right' | 'named') => [...clauses.values()].reduce((n, clauseRow) => n + clauseRow[key], 0)
  const fails = expectedResults.filter(({ expect }) => expect === 'fail').length
  times.sort((a, b) => a - b)
  const total = times.reduce((a, b) => a + b, 0)
  console.log(`verdict right: ${sumRows('right')} of ${sumRows('files')}; named rule: ${sumRows('named')} of ${fails}`)
  console.log(
    `${(total / pages).toFixed(1)} ms a page (median file ${times[times.length >> 1]!.toFixed(1)} ms, slowest ${times.at(-1)!.toFixed(0)} ms), peak ${(peak / 2 ** 20).toFixed(0)} MiB`,
  )
  return expectedResults.map(({ file }) => join(folder, file))
}

const listPdfs = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.pdf$/i.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

function compareWithVeraPdf(jars: string, files: readonly string[]): void {
  const ownResults = new Map(files.map((file) => [file, checkPdfFile(file)]))
  const { results: veraResults, ms } = askVeraPdf(jars, files)
  const compared = compareResults(ownResults, veraResults)
  const differences = compared.filter(({ extraTests: more, missingTests: less }) => more.length + less.length > 0)
  for (const { file, extraTests, missingTests } of differences)
    console.log(`differs: ${file} only ours [${extraTests.join(' ')}] only veraPDF's [${missingTests.join(' ')}]`)
  const ownMs = [...ownResults.values()].reduce((sum, checked) => sum + checked.ms, 0)
  const verdict = compared.filter(({ sameVerdict }) => sameVerdict).length
  console.log(
    `beside veraPDF, ${compared.length} files that both read: same verdict ${verdict}, the very same tests ${compared.length - differences.length}`,
  )
  console.log(`  only ours: ${formatTally(differences.flatMap(({ extraTests }) => extraTests))}`)
  console.log(`  only veraPDF's: ${formatTally(differences.flatMap(({ missingTests: less }) => less))}`)
  console.log(`  ${(ownMs / 1000).toFixed(1)} s of ours, ${(ms / 1000).toFixed(1)} s of veraPDF's with its start`)
  const troubles = [...ownResults].filter(([, { trouble }]) => trouble !== null)
  const crashes = troubles.filter(([, { trouble }]) => trouble!.startsWith('crash'))
  console.log(`  not read by us: ${troubles.length}, of them crashes: ${crashes.length}`)
  for (const [file, { trouble }] of crashes) console.log(`  ${file}: ${trouble}`)
}

// Run once to compile code: the second time is representative of a scan of many files.
for (const { file } of JSON.parse(readFileSync(join(corpus, 'expected.json'), 'utf8')) as ExpectedResult[])
  checkPdfFile(join(corpus, file))
const files = checkCorpus(corpus)
const extraPdfs = process.argv[2] ? listPdfs(process.argv[2]) : []
const jars = process.env.VERAPDF_JARS
if (jars) compareWithVeraPdf(jars, [...files, ...extraPdfs])
else console.log('VERAPDF_JARS is not set: no comparison with veraPDF.')
