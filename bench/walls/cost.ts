import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { documentationSets, fetchDocumentation } from '../engine/debian.ts'
import { measure } from '../engine/measure.ts'
import { compareRounds, computeMedian } from '../engine/median.ts'
import { serveFolder } from '../engine/serve-folder.ts'

/**
 * CPU of a first run and of a second one over unchanged pages, in this tree and in another one, in turns: for example a
 * worktree of an earlier commit, or one without a feature.
 *
 *   npm run -s cost -- --earlier ../../earlier --pages 60 --rounds 5
 */
const { values } = parseArgs({
  options: {
    earlier: { type: 'string' },
    pages: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '2' },
    set: { type: 'string', default: 'postgresql-doc-15' },
  },
})
if (values.earlier === undefined) throw new Error('--earlier names the other tree')
const trees = { now: resolve(import.meta.dirname, '../..'), earlier: resolve(values.earlier) }
const browser = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
const documentation = documentationSets.find(([name]) => name === values.set)!
const site = await serveFolder(fetchDocumentation(...documentation))
const step = Math.max(1, Math.floor(site.pages.length / Number(values.pages)))
const urls = site.pages.filter((_, i) => i % step === 0).slice(0, Number(values.pages))
const work = mkdtempSync(join(tmpdir(), 'clearway-bench-'))
const urlFile = join(work, 'urls')
writeFileSync(urlFile, urls.join('\n'))

type TreeName = keyof typeof trees
const measurements: Record<TreeName, { first: number[]; second: number[] }> = {
  now: { first: [], second: [] },
  earlier: { first: [], second: [] },
}
async function measureTree(name: TreeName): Promise<void> {
  const knownFile = join(work, `known-${name}`)
  rmSync(knownFile, { force: true })
  for (const run of ['first', 'second'] as const) {
    const program = join(trees[name], 'bench/engine/reuse-run.ts')
    const { cpu } = await measure(program, [urlFile, knownFile, browser, values.concurrency, '5'])
    measurements[name][run].push(cpu / urls.length)
    console.log(
      `${name.padEnd(7)} ${run.padEnd(7)} ${(cpu / urls.length).toFixed(3)} CPU s/page, load ${loadavg()[0]!.toFixed(1)}`,
    )
  }
}
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const name of round % 2 === 0 ? (['now', 'earlier'] as const) : (['earlier', 'now'] as const)) await measureTree(name)
site.close()

console.log(`${urls.length} pages of ${values.set}, ${values.concurrency} at once, ${values.rounds} rounds in turn`)
console.table(
  Object.fromEntries(
    (['first', 'second'] as const).map((run) => {
      const [currentCpu, earlierCpu] = [measurements.now[run], measurements.earlier[run]]
      return [
        run,
        {
          now: computeMedian(currentCpu).toFixed(3),
          earlier: computeMedian(earlierCpu).toFixed(3),
          ...compareRounds(currentCpu, earlierCpu),
        },
      ]
    }),
  ),
)
