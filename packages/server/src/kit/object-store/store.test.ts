import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findS3Servers, startS3Server } from '../../../test/s3-server.ts'
import { folderStore } from './folder.ts'
import { s3Store } from './s3.ts'
import { checkName, type ObjectStore, ObjectStoreError } from './store.ts'

const s3 = findS3Servers()
if (s3.length === 0)
  process.stderr.write(
    '\nNeither versitygw nor s3proxy is here: S3 is NOT tested on a real server (CONTRIBUTING.md says how to install one).\n\n',
  )

async function portionsOf(store: ObjectStore): Promise<string[][]> {
  const portions = []
  for await (const names of store.list()) portions.push(names)
  return portions
}
const namesOf = async (store: ObjectStore) => (await portionsOf(store)).flat().sort()

const kinds = ['folder' as const, ...(s3.length > 0 ? s3 : ['a server of S3' as const])]

describe.each(kinds)('objects in %s', (kind) => {
  const runs = it.skipIf(kind === 'a server of S3')
  let store: ObjectStore
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clearway-objects-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    if (kind === 'folder') store = folderStore(join(folder, 'made', 'when needed'))
    else if (kind !== 'a server of S3') {
      const server = await startS3Server(kind, folder)
      ends.unshift(server.stop)
      store = s3Store(server.settings)
    }
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  runs('come back as they were, and are gone when removed', async () => {
    expect(await namesOf(store)).toEqual([])
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 256))
    await store.put('one/a.1', bytes)
    await store.put('one/b.1', Buffer.alloc(0))
    await store.put('mark', Buffer.from('x'))
    expect((await store.get('one/a.1'))!.equals(bytes)).toBe(true)
    expect(await store.get('one/b.1')).toHaveLength(0)
    expect(await store.get('one/c.1')).toBeNull()
    expect(await store.get('two/a.1')).toBeNull()
    expect(await namesOf(store)).toEqual(['mark', 'one/a.1', 'one/b.1'])
    await store.remove(['one/a.1', 'one/never.1'])
    expect(await store.get('one/a.1')).toBeNull()
    await store.remove(['one/b.1', 'mark'])
    expect(await namesOf(store)).toEqual([])
  })

  runs('are listed in portions, from any number', async () => {
    const names = Array.from({ length: 1100 }, (_, at) => `many/${String(at).padStart(5, '0')}.x`)
    for (let at = 0; at < names.length; at += 50)
      await Promise.all(names.slice(at, at + 50).map((name) => store.put(name, Buffer.from(name))))
    const portions = await portionsOf(store)
    expect(portions.length).toBeGreaterThan(1)
    expect(portions.flat().sort()).toEqual(names)
  })

  runs('take no name that leads elsewhere', async () => {
    for (const name of ['../a', 'a/../b', '/a', 'a//b', 'a/b/c', 'a?b', 'A', '', '.a', 'a/.b', 'a%2e'])
      await expect(Promise.resolve().then(() => store.get(name))).rejects.toThrow('Not the name')
    expect(checkName('018f-a/0a.1')).toBe('018f-a/0a.1')
  })
})

it('a folder that cannot be used is an error of the store', async () => {
  // A file is none.
  const store = folderStore(import.meta.filename)
  await expect(store.put('a', Buffer.from('x'))).rejects.toThrow(ObjectStoreError)
  await expect(store.put('a/b', Buffer.from('x'))).rejects.toThrow(ObjectStoreError)
  await expect(namesOf(store)).rejects.toThrow(ObjectStoreError)
})

describe('a server of S3 that does not do its part', () => {
  let answer: (reply: ServerResponse, count: number) => void
  let count = 0
  let server: Server
  let store: ObjectStore
  beforeAll(async () => {
    server = createServer((request, reply) => {
      request.resume().on('end', () => answer(reply, ++count))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`
    store = s3Store({ url, region: 'here', keyId: 'key', secret: 'secret', timeoutMs: 300 })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const put = () => {
    count = 0
    return store.put('a/b.c', Buffer.from('x'))
  }

  it('is tried again when it is overloaded, three times', async () => {
    answer = (reply, at) => reply.writeHead(at < 3 ? 503 : 200).end()
    await put()
    expect(count).toBe(3)
    answer = (reply) => reply.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
    await expect(put()).rejects.toThrow('answers 503 SlowDown')
    expect(count).toBe(3)
  })

  it('is believed when it refuses, or has no room', async () => {
    answer = (reply) => reply.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    await expect(put()).rejects.toThrow('answers 403 AccessDenied')
    expect(count).toBe(1)
    answer = (reply) => reply.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>')
    await expect(store.get('a')).rejects.toThrow('is not there')
    answer = (reply) => reply.writeHead(507).end('<Error><Code>QuotaExceeded</Code></Error>')
    await expect(put()).rejects.toThrow('QuotaExceeded')
  })

  it('is waited for so long', async () => {
    answer = () => undefined
    const began = Date.now()
    await expect(put()).rejects.toThrow(ObjectStoreError)
    expect([count, Date.now() - began < 2000]).toEqual([1, true])
  })

  it('leads nowhere else', async () => {
    answer = (reply) => reply.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
    await expect(put()).rejects.toThrow(ObjectStoreError)
  })
})
