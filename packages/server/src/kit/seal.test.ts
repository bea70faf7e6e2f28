import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { openSeal, createSeal } from './seal.ts'

it('opens only with the same key and context, and detects every changed byte', () => {
  const testSeal = createSeal(Buffer.alloc(32, 1))
  const sealedBytes = testSeal.close('pässword', 'scan 1 password')
  expect(sealedBytes.toString('latin1')).not.toContain('word')
  expect(testSeal.open(sealedBytes, 'scan 1 password')).toBe('pässword')
  expect(testSeal.open(sealedBytes, 'scan 2 password')).toBeNull()
  expect(createSeal(Buffer.alloc(32, 2)).open(sealedBytes, 'scan 1 password')).toBeNull()
  for (const byteIndex of sealedBytes.keys()) {
    const changedBytes = Buffer.from(sealedBytes)
    changedBytes[byteIndex]! ^= 1
    expect(testSeal.open(changedBytes, 'scan 1 password')).toBeNull()
  }
  expect(testSeal.close('x', '').equals(testSeal.close('x', ''))).toBe(false)
})

it('keeps its key in a private file, and reuses it at the next start', () => {
  const testFolder = mkdtempSync(join(tmpdir(), 'clearway-seal-'))
  const sealedBytes = openSeal({ setting: null, folder: testFolder }).close('secret', 'a')
  expect(openSeal({ setting: null, folder: testFolder }).open(sealedBytes, 'a')).toBe('secret')
  expect(statSync(join(testFolder, 'secret-key')).mode & 0o777).toBe(0o600)
  rmSync(testFolder, { recursive: true })
})

it('has one key for processes that start at the same moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clearway-seal-'))
  const roundCount = 200
  for (let round = 0; round < roundCount; round++) mkdirSync(join(folder, String(round)))
  const arrivals = new Int32Array(new SharedArrayBuffer(4 * roundCount))
  const program = `
    const { workerData: { url, folder, arrivals }, parentPort } = require('node:worker_threads')
    import(url).then(({ getSealKey }) => {
      const keys = []
      for (let round = 0; round < arrivals.length; round++) {
        Atomics.add(arrivals, round, 1)
        while (Atomics.load(arrivals, round) < 2);
        keys.push(getSealKey({ setting: null, folder: folder + '/' + round }).toString('hex'))
      }
      parentPort.postMessage(keys)
    })`
  const url = new URL('./seal.ts', import.meta.url).href
  const startProcess = () =>
    new Promise<string[]>((resolve, reject) => {
      const worker = new Worker(program, { eval: true, workerData: { url, folder, arrivals } })
      worker.once('message', resolve).once('error', reject)
    })
  const [first, second] = await Promise.all([startProcess(), startProcess()])
  expect(first).toEqual(second)
  expect(new Set(first).size).toBe(roundCount)
  expect(readdirSync(join(folder, '0'))).toEqual(['secret-key'])
  rmSync(folder, { recursive: true })
})

it('opens secrets of an older key, and seals with the newer one', () => {
  const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const sealedBytes = createSeal(oldKey).close('secret', 'a')
  const bothKeysSeal = createSeal(newKey, oldKey)
  expect(bothKeysSeal.open(sealedBytes, 'a')).toBe('secret')
  const resealedBytes = bothKeysSeal.renewed(sealedBytes, 'a')!
  expect(createSeal(newKey).open(resealedBytes, 'a')).toBe('secret')
  expect(bothKeysSeal.renewed(resealedBytes, 'a')).toBeNull()
  expect(bothKeysSeal.renewed(sealedBytes, 'b')).toBeNull()
  expect(createSeal(oldKey).open(bothKeysSeal.close('x', 'a'), 'a')).toBeNull()
})

it('treats the key of the folder as the old one once a key is set', () => {
  const testFolder = mkdtempSync(join(tmpdir(), 'clearway-seal-'))
  const sealedBytes = openSeal({ setting: null, folder: testFolder }).close('secret', 'a')
  const createKey = (byte: number) => Buffer.alloc(32, byte).toString('base64')
  expect(openSeal({ setting: createKey(1), folder: testFolder }).open(sealedBytes, 'a')).toBe('secret')
  const nextSealed = openSeal({ setting: createKey(1), folder: testFolder }).close('next', 'a')
  expect(openSeal({ setting: createKey(2), old: createKey(1), folder: testFolder }).open(nextSealed, 'a')).toBe('next')
  expect(openSeal({ setting: createKey(2), folder: testFolder }).open(nextSealed, 'a')).toBeNull()
  rmSync(testFolder, { recursive: true })
})
