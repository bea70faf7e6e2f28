import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lockData } from './data-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('makes the folder with those above it, and locks it once', async () => {
  const deep = join(folder, 'a', 'b')
  const first = await lockData(deep)
  expect(first.taken).toBe(true)
  expect(await lockData(deep)).toEqual({ taken: false, pid: process.pid })
  if (first.taken) await first.release()
  expect((await lockData(deep)).taken).toBe(true)
})

it.skipIf(process.platform !== 'linux')('says at once where no folder can be made', async () => {
  await expect(lockData('/proc/clearway')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(lockData('/proc/clearway/data')).rejects.toMatchObject({ code: 'ENOENT' })
})

it('says so when a file stands there', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(lockData(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(lockData(join(folder, 'file', 'data'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})
