import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findS3Servers, startS3Server } from '../../../test/s3-server.ts'
import { createFolderStore } from './folder.ts'
import { createS3Store } from './s3.ts'
import { assertObjectName, type ObjectStore, ObjectStoreError } from './store.ts'

const s3Servers = findS3Servers()
if (s3Servers.length === 0)
  process.stderr.write(
    '\nNeither versitygw nor s3proxy is installed: S3 is NOT tested on a real server (see CONTRIBUTING.md).\n\n',
  )

async function collectBatches(store: ObjectStore): Promise<string[][]> {
  const nameBatches = []
  for await (const names of store.list()) nameBatches.push(names)
  return nameBatches
}
const listAllNames = async (store: ObjectStore) => (await collectBatches(store)).flat().sort()

const storeKinds = ['folder' as const, ...(s3Servers.length > 0 ? s3Servers : ['a server of S3' as const])]

describe.each(storeKinds)('objects in %s', (kind) => {
  const itIfAvailable = it.skipIf(kind === 'a server of S3')
  let objectStore: ObjectStore
  const cleanups: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const testFolder = await mkdtemp(join(tmpdir(), 'clearway-objects-'))
    cleanups.push(() => rm(testFolder, { recursive: true, force: true }))
    if (kind === 'folder') objectStore = createFolderStore(join(testFolder, 'made', 'when needed'))
    else if (kind !== 'a server of S3') {
      const s3Server = await startS3Server(kind, testFolder)
      cleanups.unshift(s3Server.stop)
      objectStore = createS3Store(s3Server.settings)
    }
  })
  afterAll(async () => {
    for (const cleanup of cleanups) await cleanup()
  })

  itIfAvailable('are returned unchanged, and are gone after removal', async () => {
    expect(await listAllNames(objectStore)).toEqual([])
    const objectBytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256))
    await objectStore.put('one/a.1', objectBytes)
    await objectStore.put('one/b.1', Buffer.alloc(0))
    await objectStore.put('mark', Buffer.from('x'))
    expect((await objectStore.get('one/a.1'))!.equals(objectBytes)).toBe(true)
    expect(await objectStore.get('one/b.1')).toHaveLength(0)
    expect(await objectStore.get('one/c.1')).toBeNull()
    expect(await objectStore.get('two/a.1')).toBeNull()
    expect(await listAllNames(objectStore)).toEqual(['mark', 'one/a.1', 'one/b.1'])
    await objectStore.remove(['one/a.1', 'one/never.1'])
    expect(await objectStore.get('one/a.1')).toBeNull()
    await objectStore.remove(['one/b.1', 'mark'])
    expect(await listAllNames(objectStore)).toEqual([])
  })

  itIfAvailable('are listed in batches', async () => {
    const objectNames = Array.from({ length: 1100 }, (_, index) => `many/${String(index).padStart(5, '0')}.x`)
    for (let startIndex = 0; startIndex < objectNames.length; startIndex += 50)
      await Promise.all(objectNames.slice(startIndex, startIndex + 50).map((name) => objectStore.put(name, Buffer.from(name))))
    const nameBatches = await collectBatches(objectStore)
    expect(nameBatches.length).toBeGreaterThan(1)
    expect(nameBatches.flat().sort()).toEqual(objectNames)
  })

  itIfAvailable('accept no name that leads elsewhere', async () => {
    for (const name of ['../a', 'a/../b', '/a', 'a//b', 'a/b/c', 'a?b', 'A', '', '.a', 'a/.b', 'a%2e'])
      await expect(Promise.resolve().then(() => objectStore.get(name))).rejects.toThrow('Not the name')
    expect(assertObjectName('018f-a/0a.1')).toBe('018f-a/0a.1')
  })
})

it('reports an unusable folder as a store error', async () => {
  // A file is not a folder.
  const brokenStore = createFolderStore(import.meta.filename)
  await expect(brokenStore.put('a', Buffer.from('x'))).rejects.toThrow(ObjectStoreError)
  await expect(brokenStore.put('a/b', Buffer.from('x'))).rejects.toThrow(ObjectStoreError)
  await expect(listAllNames(brokenStore)).rejects.toThrow(ObjectStoreError)
})

describe('a failing S3 server', () => {
  let sendReply: (reply: ServerResponse, requestIndex: number) => void
  let requestCount = 0
  let s3Server: Server
  let objectStore: ObjectStore
  beforeAll(async () => {
    s3Server = createServer((request, reply) => {
      request.resume().on('end', () => sendReply(reply, ++requestCount))
    })
    await new Promise<void>((resolve) => s3Server.listen(0, '127.0.0.1', resolve))
    const bucketUrl = `http://127.0.0.1:${(s3Server.address() as AddressInfo).port}/bucket`
    objectStore = createS3Store({ url: bucketUrl, region: 'here', keyId: 'key', secret: 'secret', timeoutMs: 300 })
  })
  afterAll(() => {
    s3Server.closeAllConnections()
    s3Server.close()
  })
  const putObject = () => {
    requestCount = 0
    return objectStore.put('a/b.c', Buffer.from('x'))
  }

  it('is tried three times if it is overloaded', async () => {
    sendReply = (reply, requestIndex) => reply.writeHead(requestIndex < 3 ? 503 : 200).end()
    await putObject()
    expect(requestCount).toBe(3)
    sendReply = (reply) => reply.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
    await expect(putObject()).rejects.toThrow('answers 503 SlowDown')
    expect(requestCount).toBe(3)
  })

  it('is not retried after a refusal, or if it is full', async () => {
    sendReply = (reply) => reply.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    await expect(putObject()).rejects.toThrow('answers 403 AccessDenied')
    expect(requestCount).toBe(1)
    sendReply = (reply) => reply.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>')
    await expect(objectStore.get('a')).rejects.toThrow('is not there')
    sendReply = (reply) => reply.writeHead(507).end('<Error><Code>QuotaExceeded</Code></Error>')
    await expect(putObject()).rejects.toThrow('QuotaExceeded')
  })

  it('is abandoned after the time-out', async () => {
    sendReply = () => undefined
    const startedAt = Date.now()
    await expect(putObject()).rejects.toThrow(ObjectStoreError)
    expect([requestCount, Date.now() - startedAt < 2000]).toEqual([1, true])
  })

  it('cannot redirect elsewhere', async () => {
    sendReply = (reply) => reply.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
    await expect(putObject()).rejects.toThrow(ObjectStoreError)
  })
})
