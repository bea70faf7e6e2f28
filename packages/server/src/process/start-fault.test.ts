import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import { describeStartFault } from './start-fault.ts'

// The path and the action that failed are named, by errors of the operating system itself.

const data = await mkdtemp(join(tmpdir(), 'clearway-fault-'))
const config = readConfig({ CLEARWAY_DATA: data }) as Config
const describeError = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => describeStartFault(error, config),
  )

it('names a missing file outside of the data folder', async () => {
  expect(await describeError(readFile('/none/terms.html'))).toBe('/none/terms.html does not exist. Create it, or name another.')
})

it('names a file of the data folder, and the setting of this', async () => {
  await writeFile(join(data, 'file'), '')
  const path = join(data, 'file', 'secret-key')
  expect(await describeError(readFile(path))).toBe(`${path} is not within a folder. Set CLEARWAY_DATA to another folder.`)
  await rm(data, { recursive: true })
  expect(await describeError(readFile(join(data, 'secret-key')))).toContain('Set CLEARWAY_DATA')
})

it('tells a port in use from a port that is not allowed', async () => {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const { port } = holder.address() as { port: number }
  const taken = new Promise((_, reject) => createServer().once('error', reject).listen(port, '127.0.0.1'))
  expect(await describeError(taken)).toContain('is in use by another program')
  await new Promise((resolve) => holder.close(resolve))
  const refusal = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen' })
  expect(describeStartFault(refusal, config)).toMatch(/^Not allowed to listen on port \d+\./)
})

it.each([
  ['/backup/whole', 'The disk of /backup/whole is full. Make room, or choose another place.'],
  [join(data, 'pg'), `The disk of ${join(data, 'pg')} is full. Set CLEARWAY_DATA to another folder.`],
  [`${data}-other`, `The disk of ${data}-other is full. Make room, or choose another place.`],
])('names the full disk of %s', (path, message) => {
  expect(describeStartFault(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', path }), config)).toBe(message)
})

it('says nothing of errors that it does not know', () =>
  expect(describeStartFault(new TypeError('constructor'), config)).toBe(null))
