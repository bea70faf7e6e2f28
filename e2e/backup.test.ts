/** @module-tag slow */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { signIn } from './product/client.ts'
import { adminPassword, findFreePort, startProduct } from './product/start.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-moved-'))
chmodSync(folder, 0o755)
const sourceFolder = join(folder, 'here')
const targetFolder = join(folder, 'there')
const file = join(folder, 'friday.backup')
const CLEARWAY_BACKUP_PASSPHRASE = 'a passphrase to remember'
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command as users call it, on a data folder. */
function runClearway(dataFolder: string, args: string[], env: Record<string, string> = {}) {
  const program = join(import.meta.dirname, '../packages/cli/bin/clearway.mjs')
  const completed = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, CLEARWAY_DATA: dataFolder, ...env },
    encoding: 'utf8',
  })
  return { code: completed.status, said: completed.stdout + completed.stderr }
}

it('moves a running product to another machine by the commands', async () => {
  const port = await findFreePort()
  const product = await startProduct({ data: sourceFolder, port })
  try {
    const call = await signIn(product.url, 'admin', adminPassword)
    await call('POST', '/scans', { name: 'Moved with all', urls: ['https://example.org/'] })
    const backup = runClearway(sourceFolder, ['backup', 'friday.backup'], { CLEARWAY_BACKUP_PASSPHRASE })
    expect(backup).toMatchObject({
      code: 0,
      said: expect.stringMatching(
        /^Backup written to .*friday\.backup: \d+ tables, \d+ rows[^]*\n\{.*"rows":\d+.*"msg":"backup done"\}/,
      ) as string,
    })
    expect(runClearway(sourceFolder, ['backup', 'friday.backup'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('is there already') as string,
    })
    const nightly = join(folder, 'nightly')
    mkdirSync(nightly)
    // Older backups, and files that a rotation must not touch.
    for (const name of ['clearway-20260101T000000Z.backup', 'clearway-20260102T000000Z.backup', 'mine.backup'])
      copyFileSync(file, join(nightly, name))
    writeFileSync(join(nightly, 'clearway-20250101T000000Z.backup'), 'x')
    expect(runClearway(sourceFolder, ['backup', file, '--keep', '2'])).toMatchObject({ code: 2 })
    expect(runClearway(sourceFolder, ['backup', nightly, '--keep', '0'])).toMatchObject({ code: 2 })
    expect(runClearway(sourceFolder, ['backup', nightly, '--keep', '2'])).toMatchObject({
      code: 0,
      said: expect.stringMatching(
        /is intact and can be restored[^]*the one of this machine fits[^]*Removed .*clearway-20260101T000000Z\.backup[^]*Left .*clearway-20250101T000000Z\.backup/,
      ) as string,
    })
    expect(readdirSync(nightly).sort()).toEqual([
      'clearway-20250101T000000Z.backup',
      'clearway-20260102T000000Z.backup',
      expect.stringMatching(/^clearway-\d{8}T\d{6}Z\.backup$/),
      'mine.backup',
    ])
    expect(runClearway(sourceFolder, ['restore', file, '--replace'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('Stop it first') as string,
    })
  } finally {
    await product.stop()
  }
  expect(runClearway(targetFolder, ['restore', file], { CLEARWAY_BACKUP_PASSPHRASE: 'not the passphrase' })).toMatchObject({
    code: 2,
    said: expect.stringContaining('not the passphrase') as string,
  })
  expect(runClearway(targetFolder, ['backup', '--verify', file], { CLEARWAY_BACKUP_PASSPHRASE })).toMatchObject({
    code: 0,
    said: expect.stringMatching(/is intact and can be restored: \d+ tables[^]*Its secret key opens/) as string,
  })
  expect(
    runClearway(targetFolder, ['backup', '--verify', join(folder, 'nightly/clearway-20250101T000000Z.backup')]),
  ).toMatchObject({
    code: 2,
    said: expect.stringContaining('clearway-20250101T000000Z.backup is not a backup of Clearway') as string,
  })
  expect(existsSync(targetFolder)).toBe(false)
  const restored = runClearway(targetFolder, ['restore', file], { CLEARWAY_BACKUP_PASSPHRASE })
  expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('Start Clearway to go on.') as string })
  expect(readFileSync(join(targetFolder, 'secret-key'), 'utf8')).toBe(readFileSync(join(sourceFolder, 'secret-key'), 'utf8'))
  const moved = await startProduct({ data: targetFolder, port })
  try {
    const call = await signIn(moved.url, 'admin', adminPassword)
    expect(JSON.stringify(await call('GET', '/scans'))).toContain('Moved with all')
  } finally {
    await moved.stop()
  }
  // A lost key: the start names the command that the documents name, and that command is enough.
  rmSync(join(targetFolder, 'secret-key'))
  const operating = readFileSync(join(import.meta.dirname, '../docs/OPERATING.md'), 'utf8')
  const [, documentedCommand] = /If the key is lost, `npx clearway ([^`]+)`/.exec(operating)!
  await expect(startProduct({ data: targetFolder, port })).rejects.toThrow(`npx clearway ${documentedCommand}`)
  expect(runClearway(targetFolder, documentedCommand!.split(' '))).toMatchObject({ code: 0 })
  const renewed = await startProduct({ data: targetFolder, port })
  try {
    const call = await signIn(renewed.url, 'admin', adminPassword)
    expect(JSON.stringify(await call('GET', '/scans'))).toContain('Moved with all')
  } finally {
    await renewed.stop()
  }
})
