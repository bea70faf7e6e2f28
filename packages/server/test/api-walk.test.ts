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

describe.skipIf(!hasCurl)('the script in docs/API-WALK.md', () => {
  it('makes, schedules, runs, shares, exports and deletes a scan', async () => {
    const page = readFileSync(new URL('../../../docs/API-WALK.md', import.meta.url), 'utf8')
    const script = /```bash\n([\s\S]*?)```/.exec(page)![1]!
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
