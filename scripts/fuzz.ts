import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApi } from '../packages/server/test/api.ts'
import { makeWorld } from '../packages/server/test/world.ts'

/**
 * Fuzzes every call of the OpenAPI description against a real server and database with schemathesis: no 500 response, no
 * response outside its schema, no wrong value accepted. Passes arguments on to schemathesis.
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
/** Created on demand, because earlier fuzzing may delete keys. */
async function createApiKey(): Promise<string> {
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
// Schemathesis stores its attempts in its working folder.
const folder = mkdtempSync(join(tmpdir(), 'clearway-fuzz-'))
const refusals = '[checks.negative_data_rejection]\nexpected-statuses = ["4xx"]\n'

/** The server runs in this same process, so nothing may block it. */
const runSchemathesis = (tag: string, url: string, key = ''): Promise<boolean> =>
  new Promise((resolve) => {
    // A header on the command line overrides a generated key. An oversized request is a valid refusal, too.
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
      // Event streams never end by themselves.
      '--exclude-path-regex',
      '/events$',
      '--checks',
      checks.join(','),
      '--phases',
      'coverage,fuzzing',
      '--continue-on-failure',
      ...process.argv.slice(2),
    ]
    spawn(program, args, { stdio: 'inherit', cwd: folder }).on('exit', (code) => resolve(code === 0))
  })

const tagResults = [
  await runSchemathesis('monitor', origin),
  await runSchemathesis('account', api.accountUrl),
  await runSchemathesis('public', origin, await createApiKey()),
]
await api.close()
rmSync(folder, { recursive: true, force: true })
process.exit(tagResults.every(Boolean) ? 0 : 1)
