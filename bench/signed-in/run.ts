import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findFreePort } from '../../packages/server/test/free-port.ts'
import { type Application, compareDumps, password, waitForAnswer } from './application.ts'
import { wagtail } from './wagtail.ts'

/**
 * Crawls real applications as their administrator, signed in by their form without a script, and compares their databases before
 * and after: pages proved signed in, and rows that changed.
 *
 *   npm run -s signed-in -- --only wagtail --folder /tmp/clearway-signed-in --pages 60
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    folder: { type: 'string', default: join(tmpdir(), 'clearway-signed-in') },
    pages: { type: 'string', default: '60' },
  },
})
const applications: Readonly<Record<string, Application>> = { wagtail }

type Totals = { completed: number; proved: number; unproved: number; failed: number; excluded: number }
type ScanReport = { totals: Totals; pages: { url: string; failure: { reason: string; detail: string } | null }[] }

/** Scans with the command line. Its report is its output. */
async function scanSignedIn(origin: string, { startPath, signInPath, user }: Application) {
  const args = ['scan', `${origin}${startPath}`, '--sign-in', `${origin}${signInPath}`, '--user', user]
  const options = ['--allow-private', '--ignore-robots', '--page-limit', values.pages, '--format', 'json']
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

async function measure(key: string, application: Application): Promise<void> {
  const folder = join(values.folder, key)
  mkdirSync(folder, { recursive: true })
  await application.install(folder)
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const server = application.start(folder, port)
  try {
    await waitForAnswer(`${origin}${application.signInPath}`)
    const initialDump = await application.dump(folder)
    const startedAt = performance.now()
    const { totals, pages } = await scanSignedIn(origin, application)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const changes = compareDumps(initialDump, await application.dump(folder))
    const { completed, proved, unproved, failed } = totals
    console.log(
      `${application.name}: ${proved} of ${proved + unproved} pages proved signed in, ${completed} tested, ${failed} failed, ${seconds} s, 3 fields for a person`,
    )
    for (const { url, failure } of pages) if (failure) console.log(`  failed: ${url} ${failure.reason}: ${failure.detail}`)
    if (changes.length === 0) console.log('  no row changed')
    for (const { table, added, removed } of changes) {
      console.log(`  ${table}: ${added.length} rows new or changed, ${removed.length} rows gone or changed`)
      for (const row of added.slice(0, 3)) console.log(`    + ${row.slice(0, 200)}`)
    }
  } finally {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
}

for (const [key, application] of Object.entries(applications))
  if (!values.only || values.only.split(',').includes(key)) await measure(key, application)
