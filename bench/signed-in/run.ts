import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findFreePort } from '../../packages/engine/test/free-port.ts'
import { type Application, compareDumps, explainChanges, password, stopServers, waitForAnswer } from './application.ts'
import { compareWithAxe, type ReportPage } from './compare-axe.ts'
import { directus } from './directus.ts'
import { jupyterLab } from './jupyterlab.ts'
import { keycloak } from './keycloak.ts'
import { mediawiki } from './mediawiki.ts'
import { nodeRed } from './node-red.ts'
import { wagtail } from './wagtail.ts'
import { wordpress } from './wordpress.ts'

/**
 * Crawls real applications as their administrator, signed in by their form without a script, and compares their databases before
 * and after: pages proved signed in, pages equal to AxeBuilder, and rows that changed.
 *
 *   npm run -s signed-in -- --only wagtail --folder /tmp/clearway-signed-in --pages 60 --page-timeout 60
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    folder: { type: 'string', default: join(tmpdir(), 'clearway-signed-in') },
    pages: { type: 'string', default: '60' },
    // Seconds, for machines that are too busy for these applications within the default.
    'page-timeout': { type: 'string' },
  },
})
const applications: Readonly<Record<string, Application>> = {
  wordpress,
  mediawiki,
  'node-red': nodeRed,
  jupyterlab: jupyterLab,
  directus,
  keycloak,
  wagtail,
}

type Totals = { completed: number; proved: number; unproved: number; failed: number; excluded: number }
type ScanReport = { totals: Totals; pages: ReportPage[] }

/** Scans with the command line. Its report is its output. */
async function scanSignedIn(folder: string, origin: string, { startPath, signInPath, user, settings, concurrency }: Application) {
  const settingsFile = join(folder, 'settings.json')
  const scanSettings: { advanced?: object } = settings?.(origin) ?? {}
  const timeout = values['page-timeout'] === undefined ? {} : { pageTimeoutMs: Number(values['page-timeout']) * 1000 }
  writeFileSync(settingsFile, JSON.stringify({ ...scanSettings, advanced: { ...scanSettings.advanced, ...timeout } }))
  const args = ['scan', `${origin}${startPath}`, '--sign-in', `${origin}${signInPath}`, '--user', user]
  const options = [
    '--allow-private',
    '--ignore-robots',
    '--page-limit',
    values.pages,
    '--format',
    'json',
    '--settings',
    settingsFile,
    ...(concurrency === undefined ? [] : ['--concurrency', String(concurrency)]),
  ]
  const command = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../packages/cli/bin/clearway.mjs'), ...args, ...options],
    {
      env: { ...process.env, CLEARWAY_SIGN_IN_PASSWORD: password },
    },
  )
  let output = ''
  let errors = ''
  command.stdout.on('data', (chunk) => (output += chunk))
  command.stderr.on('data', (chunk) => (errors += chunk))
  await once(command, 'close')
  if (output === '') throw new Error(errors)
  return JSON.parse(output) as ScanReport
}

function printReport(name: string, { totals, pages }: ScanReport, seconds: number): void {
  const { completed, proved, unproved, failed, excluded } = totals
  console.log(
    `${name}: ${proved} of ${proved + unproved} pages proved signed in, ${completed} tested, ${failed} failed, ${excluded} not tested`,
  )
  console.log(`  ${(seconds / 60).toFixed(1)} minutes, 3 fields for a person: address, user, password`)
  for (const { url, failure, status } of pages)
    if (failure && status === 'failed') console.log(`  failed: ${url} ${failure.reason}: ${failure.detail}`)
  for (const { url, status, isProved } of pages)
    if (status === 'completed' && isProved === false) console.log(`  not proved: ${url}`)
}

async function measure(key: string, application: Application): Promise<boolean> {
  const folder = join(values.folder, key)
  mkdirSync(folder, { recursive: true })
  await application.install(folder)
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const servers = await application.start(folder, port)
  try {
    await waitForAnswer(`${origin}${application.signInPath}`)
    const initialDump = await application.dump(folder)
    const startedAt = performance.now()
    const report = await scanSignedIn(folder, origin, application)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const changes = compareDumps(initialDump, await application.dump(folder))
    writeFileSync(join(folder, 'report.json'), JSON.stringify(report))
    printReport(application.name, report, seconds)
    const { explained, faults } = explainChanges(changes, application.openingWrites)
    console.log(`  ${faults.length} rows changed beyond sessions and opening pages`)
    for (const fault of faults.slice(0, 100)) console.log(`    ${fault}`)
    for (const [reason, rowCount] of explained) console.log(`    by opening: ${reason} (${rowCount} rows)`)
    const { compared, equal, renamedCount, differences, varying } = await compareWithAxe(origin, application, report.pages)
    console.log(`  ${equal} of ${compared} pages equal to AxeBuilder; ${renamedCount} findings differ only in a generated id`)
    for (const difference of differences) console.log(`    ${difference}`)
    for (const difference of varying) console.log(`    apart, because two results of AxeBuilder differ: ${difference}`)
    return faults.length === 0 && differences.length === 0 && report.totals.unproved === 0 && report.totals.proved > 0
  } finally {
    await stopServers(servers)
  }
}

let areAllMet = true
for (const [key, application] of Object.entries(applications))
  if (!values.only || values.only.split(',').includes(key)) areAllMet = (await measure(key, application)) && areAllMet
process.exit(areAllMet ? 0 : 1)
