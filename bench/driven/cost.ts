import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from '../engine/measure.ts'
import { serveFolder } from '../engine/serve-folder.ts'
import { pickUrls } from './pick-urls.ts'

/**
 * CPU of a run that drives pages against one that does not, in turns.
 *
 *   npm run -s driven -- --folder /srv/manual --part book --part reference --pages 10
 */
const { values } = parseArgs({
  options: {
    /** Pages of each part of the folder, evenly spread over all it has. */
    pages: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '1' },
    mode: { type: 'string', multiple: true, default: ['off', 'templates', 'every'] },
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
const contender = resolve(import.meta.dirname, '../engine/clearway.ts')
for (let round = 1; round <= Number(values.rounds); round += 1)
  for (const mode of values.mode) {
    const { cpu, output } = await measure(contender, [urlFile, join(workFolder, 'found'), values.browser, '2', mode])
    console.log(`${mode}: ${cpu.toFixed(1)} s of CPU for ${urls.length} pages, driven: ${output}`)
  }
site.close()
rmSync(workFolder, { recursive: true })
