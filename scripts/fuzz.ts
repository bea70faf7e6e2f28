import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApi } from '../packages/server/test/api.ts'
import { makeWorld } from '../packages/server/test/world.ts'

/**
 * Fuzzes every call of the OpenAPI description against a real server and database with schemathesis: no answer of 500,
 * none outside its schema, no wrong value taken. Arguments are handed on to schemathesis.
 */
const program = process.env.CLEARWAY_TEST_SCHEMATHESIS ?? 'schemathesis'
if (spawnSync(program, ['--version']).status !== 0) {
  console.log(
    'Skipped: schemathesis is not installed. `pip install schemathesis`, or set CLEARWAY_TEST_SCHEMATHESIS to its path.',
  )
  process.exit(0)
}

const api = await openTestApi({ environment: { CLEARWAY_PUBLIC_RATE: '1000000' } })
await makeWorld(api)
const exp = Math.floor(Date.now() / 1000) + 4 * 3600
const token = await api.token('admin', ['access', 'admin'], { exp })
/** Made when it is wanted: what is fuzzed before may well delete keys. */
async function makeKey(): Promise<string> {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { name: 'Fuzz', scopes: ['read', 'run'], expiresAt }
  return ((await api.call('POST', '/api-keys', { token, body })).body as { key: string }).key
}
const origin = await api.app.listen({ port: 0, host: '127.0.0.1' })

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
]
// It keeps what it has tried in its working folder.
const folder = mkdtempSync(join(tmpdir(), 'clearway-fuzz-'))
const refusals = '[checks.negative_data_rejection]\nexpected-statuses = ["4xx"]\n'

/** The server answers in this very process, so nothing may wait in it. */
const run = (tag: string, url: string, key = ''): Promise<boolean> =>
  new Promise((done) => {
    // A header of the command line would give way to a made-up key. Too large is a refusal too.
    const settings = `[auth.openapi.apiKey]\napi_key = "${key}"\n${refusals}`
    writeFileSync(join(folder, 'schemathesis.toml'), settings)
    const args = [
      'run',
      `${origin}/monitor-api/openapi.json`,
      '--url',
      url,
      '--header',
      `Authorization: Bearer ${token}`,
      '--include-tag',
      tag,
      // Streams of events do not end by themselves.
      '--exclude-path-regex',
      '/events$',
      '--checks',
      checks.join(','),
      '--phases',
      'coverage,fuzzing',
      '--continue-on-failure',
      ...process.argv.slice(2),
    ]
    spawn(program, args, { stdio: 'inherit', cwd: folder }).on('exit', (code) => done(code === 0))
  })

const results = [
  await run('monitor', origin),
  await run('account', api.accountUrl),
  await run('public', origin, await makeKey()),
]
await api.close()
rmSync(folder, { recursive: true, force: true })
process.exit(results.every(Boolean) ? 0 : 1)
