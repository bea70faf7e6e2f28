/** @module-tag slow */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { startWorkerRole } from '../src/process/worker.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0
const hasJq = spawnSync('jq', ['--version']).status === 0
if (!hasJq) process.stderr.write('NOT SHOWN here: the scans as code of docs/API-WALK.md. They need jq.\n')
if (!hasCurl) process.stderr.write('NOT SHOWN here: the walk of docs/API-WALK.md. It needs curl.\n')

const api = useTestApi({ environment: { CLEARWAY_ALLOW_PRIVATE: '127.0.0.1', CLEARWAY_SANDBOX: 'off' } })
let worker: { stop: () => Promise<void> }
let site: Awaited<ReturnType<typeof startSite>>
const folder = mkdtempSync(join(tmpdir(), 'clearway-walk-'))
beforeAll(async () => {
  site = await startSite()
  worker = await startWorkerRole({ ...api, log: () => undefined })
})
afterAll(async () => {
  await worker.stop()
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

const apiWalk = readFileSync(new URL('../../../docs/API-WALK.md', import.meta.url), 'utf8')

describe.skipIf(!hasCurl)('the script in docs/API-WALK.md', () => {
  it('makes, schedules, runs, shares, exports and deletes a scan', async () => {
    const script = /```bash\n([\s\S]*?)```/.exec(apiWalk)![1]!
    const file = join(folder, 'walk.sh')
    writeFileSync(file, script)
    const { stdout } = await promisify(execFile)('bash', [file], {
      cwd: folder,
      env: {
        ...process.env,
        CLEARWAY: await api.app.listen({ port: 0, host: '127.0.0.1' }),
        TOKEN: await api.token('walker'),
        SITE: `${site.url}/critical/image-alt`,
      },
    })
    const printed = stdout.trim().split('\n')
    expect(printed[0]).toMatch(/^scan [0-9a-f-]{36}$/)
    expect(printed[1]).toBe('next run 2099-01-05T07:00:00.000Z')
    expect(printed[2]).toMatch(/^run 1: completed, score [01](\.\d+)?$/)
    expect(printed[3]).toMatch(/^ignored [1-9]/)
    expect(printed[4]).toBe('shared')
    expect(printed[5]).toMatch(/^exported [1-9]\d* issues$/)
    // A link is refused like a wrong token once its scan is deleted.
    expect(printed[6]).toBe('guest gets 401')
  })
})

describe.skipIf(!hasCurl || !hasJq)('the scans as code in docs/API-WALK.md', () => {
  it('are created, grouped and changed by a key, and not touched again', async () => {
    const script = join(folder, 'scans.sh')
    writeFileSync(script, /```bash scans\n([\s\S]*?)```/.exec(apiWalk)![1]!)
    const scanFile = join(folder, 'scans.tsv')
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const token = await api.token('coder', ['access', 'admin'])
    const created = await api.call('POST', '/api-keys', {
      token,
      body: { name: 'Code', scopes: ['read', 'manage'], expiresAt },
    })
    const { key } = created.body as { key: string }
    const origin = api.app.listeningOrigin || (await api.app.listen({ port: 0, host: '127.0.0.1' }))
    const apply = async (lines: string[]) => {
      writeFileSync(scanFile, `${lines.join('\n')}\n`)
      const environment = { ...process.env, CLEARWAY: origin, KEY: key, FILE: scanFile, GROUP: 'As “code”' }
      return (await promisify(execFile)('bash', [script], { cwd: folder, env: environment })).stdout.trim().split('\n')
    }
    const shop = `Shop & “more”\t${site.url}/shop`
    expect(await apply([`Home\t${site.url}/`, shop])).toEqual(['created Home', 'created Shop & “more”', 'group of 2 scans'])
    expect(await apply([`Home\t${site.url}/`, shop])).toEqual(['group of 2 scans'])
    expect(await apply([`Home\t${site.url}/start`])).toEqual(['changed Home', 'group of 1 scans'])
    const scans = (await api.call('GET', '/scans?search=Home', { token })).body as { content: { id: string }[] }
    const { settings } = (await api.call('GET', `/scans/${scans.content[0]!.id}/settings`, { token })).body as {
      settings: { urls: string[] }
    }
    expect(settings.urls).toEqual([`${site.url}/start`])
  })
})
