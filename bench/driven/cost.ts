import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from '../engine/measure.ts'
import { computeMedian } from '../engine/median.ts'
import { serveFolder } from '../engine/serve-folder.ts'
import { pickUrls } from './pick-urls.ts'

/**
 * CPU of a run that drives pages against one that does not, in turns, and against axe-core alone: the bare loop, less a loop that
 * only loads the pages.
 *
 *   npm run -s driven -- --folder /srv/manual --part book --part reference --pages 10
 */
const { values } = parseArgs({
  options: {
    /** Pages of each part of the folder, evenly spread over all it has. */
    pages: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '1' },
    mode: { type: 'string', multiple: true, default: ['load', 'axe', 'off', 'templates', 'every'] },
    browser: { type: 'string', default: process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium-headless-shell' },
    folder: { type: 'string', default: '.' },
    part: { type: 'string', multiple: true, default: [''] },
  },
})
const site = await serveFolder(values.folder)
const urls = pickUrls(site, values.part, Number(values.pages))
const workFolder = mkdtempSync(join(tmpdir(), 'clearway-driven-'))
const urlFile = join(workFolder, 'urls')
writeFileSync(urlFile, urls.join('\n'))
const contenders: Record<string, [file: string, argument: string]> = {
  load: ['bare.ts', 'load'],
  axe: ['bare.ts', 'axe'],
}
const seconds = new Map<string, number[]>()
for (let round = 1; round <= Number(values.rounds); round += 1)
  for (const mode of values.mode) {
    const [file, argument] = contenders[mode] ?? ['clearway.ts', mode]
    const contender = resolve(import.meta.dirname, '../engine', file)
    const { cpu, output } = await measure(contender, [urlFile, join(workFolder, 'found'), values.browser, '2', argument])
    console.log(
      `${mode}: ${cpu.toFixed(1)} s of CPU for ${urls.length} pages${output && `, driven: ${output}`}, load ${loadavg()[0]!.toFixed(1)}`,
    )
    seconds.set(mode, [...(seconds.get(mode) ?? []), cpu])
  }
/** NaN for a mode that was not measured. */
const getMedian = (mode: string) => computeMedian(seconds.get(mode) ?? [NaN])
const [off, axe] = [getMedian('off'), getMedian('axe') - getMedian('load')]
console.log(`axe-core alone: ${((1000 * axe) / urls.length).toFixed(0)} ms of CPU a page`)
for (const mode of values.mode.filter((one) => one === 'templates' || one === 'every')) {
  const driving = getMedian(mode) - off
  console.log(
    `${mode}: ${(getMedian(mode) / off).toFixed(3)} times a run without driving, ${(driving / axe).toFixed(1)} times axe-core`,
  )
}
site.close()
rmSync(workFolder, { recursive: true })
