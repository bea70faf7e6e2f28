/** @module-tag slow */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { useSignInServer } from '../../../test/sign-in.ts'

const idp = useSignInServer()
const folder = mkdtempSync(join(tmpdir(), 'clearway-user-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const password = 'a wholly unlikely sentence'
const runAdd = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'user.ts'), 'add', ...args], {
    env: { ...process.env, DATABASE_URL: idp.database.url, CLEARWAY_DATA: folder },
    encoding: 'utf8',
    input,
  })

it('reads the password from the standard input, which process lists do not show', async () => {
  expect(runAdd(['ada', '--password', '-'], `${password}\n`)).toMatchObject({ status: 0, stdout: 'Added ada.\n', stderr: '' })
  expect(await idp.tokenBy('ada', password)).toBeTruthy()
  expect(runAdd(['bob', '--password', '-'], 'short\n')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('That password cannot be used (too-short).') as string,
  })
  expect(runAdd(['bob', '--password', '-']).status).toBe(2)
}, 60_000)

it('still accepts it as an argument, with a warning', async () => {
  const { status, stderr } = runAdd(['cy', '--password', password])
  expect([status, stderr]).toEqual([0, expect.stringContaining('Give --password -')])
  expect(stderr).not.toContain(password)
  expect(await idp.tokenBy('cy', password)).toBeTruthy()
}, 60_000)
