import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { signIn } from './product/client.ts'
import { adminPassword, freePort, startProduct } from './product/start.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-moved-'))
chmodSync(folder, 0o755)
const here = join(folder, 'here')
const there = join(folder, 'there')
const file = join(folder, 'friday.backup')
const CLEARWAY_BACKUP_PASSPHRASE = 'a passphrase to remember'
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The command as people call it, on a data folder. */
function clearway(data: string, args: string[], env: Record<string, string> = {}) {
  const program = join(import.meta.dirname, '../packages/cli/bin/clearway.mjs')
  const done = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, CLEARWAY_DATA: data, ...env },
    encoding: 'utf8',
  })
  return { code: done.status, said: done.stdout + done.stderr }
}

it('moves a running product to another machine, by the commands', async () => {
  const port = await freePort()
  const product = await startProduct({ data: here, port })
  try {
    const call = await signIn(product.url, 'admin', adminPassword)
    await call('POST', '/scans', { name: 'Moved with all', urls: ['https://example.org/'] })
    const backup = clearway(here, ['backup', 'friday.backup'], { CLEARWAY_BACKUP_PASSPHRASE })
    expect(backup).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Backup written to .*friday\.backup: \d+ tables, \d+ rows/) as string,
    })
    expect(clearway(here, ['backup', 'friday.backup'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('is there already') as string,
    })
    expect(clearway(here, ['restore', file, '--replace'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('Stop it first') as string,
    })
  } finally {
    await product.stop()
  }
  expect(
    clearway(there, ['restore', file], { CLEARWAY_BACKUP_PASSPHRASE: 'not the passphrase' }),
  ).toMatchObject({ code: 2, said: expect.stringContaining('not the passphrase') as string })
  expect(existsSync(there)).toBe(false)
  const restored = clearway(there, ['restore', file], { CLEARWAY_BACKUP_PASSPHRASE })
  expect(restored).toMatchObject({
    code: 0,
    said: expect.stringContaining('Start Clearway to go on.') as string,
  })
  expect(readFileSync(join(there, 'secret-key'), 'utf8')).toBe(readFileSync(join(here, 'secret-key'), 'utf8'))
  const moved = await startProduct({ data: there, port })
  try {
    const call = await signIn(moved.url, 'admin', adminPassword)
    expect(JSON.stringify(await call('GET', '/scans'))).toContain('Moved with all')
  } finally {
    await moved.stop()
  }
})
