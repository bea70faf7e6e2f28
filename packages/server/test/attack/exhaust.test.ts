/** @module-tag slow */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { removeStaleUploads } from '../../src/kit/http/upload.ts'
import { openTestApi, type TestApi } from '../api.ts'
import { buildCompleted, recordRun, type TestRun } from '../run.ts'

// Requests that are opened and never ended. Each caller has a limited number of them.

let api: TestApi
let admin: string
let origin: string
let run: TestRun
beforeAll(async () => {
  api = await openTestApi()
  admin = await api.token('admin', ['access', 'admin'])
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
  run = await recordRun(api, undefined, { a: buildCompleted([], 'a') })
  // The stream of an ended run ends at once; the second run waits for a worker.
  await api.call('POST', `/scans/${run.scanId}/startRun`, { token: admin })
})
afterAll(() => api.close())

const openRequests: ClientRequest[] = []
afterEach(() => {
  for (const openRequest of openRequests.splice(0)) openRequest.destroy()
})

type OpenedRequest = { sent: ClientRequest; reply: Promise<IncomingMessage> }

function openRequest(method: string, path: string, headers: Record<string, string>): OpenedRequest {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = request(`${origin}/monitor-api${path}`, { method, headers, agent: false }, resolve)
  sent.on('error', reject)
  openRequests.push(sent)
  return { sent, reply: promise }
}

const openStream = async (headers: Record<string, string>): Promise<number> => {
  const { sent, reply } = openRequest('GET', `/scans/${run.scanId}/runs/2/events`, headers)
  sent.end()
  const response = await reply
  // A refusal is read, so that its connection ends.
  if (response.statusCode !== 200) response.resume()
  return response.statusCode!
}
const countByStatus = (statuses: readonly number[]) =>
  Object.fromEntries([...new Set(statuses)].map((one) => [one, statuses.filter((s) => s === one).length]))

const listUploadFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('clearway-upload-'))
const openUpload = (token: string) => {
  const upload = openRequest('POST', `/scans/${run.scanId}/runs/1/axeIssues`, {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=edge',
  })
  upload.reply.catch(() => undefined)
  upload.sent.write(
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\nContent-Type: application/json\r\n\r\n' +
      ' '.repeat(100_000),
  )
  return upload
}

it('limits the event streams of one person and of one share link, and frees closed ones', async () => {
  const ofPerson = { authorization: `Bearer ${admin}` }
  expect(countByStatus(await Promise.all(Array.from({ length: 30 }, () => openStream(ofPerson))))).toEqual({ 200: 20, 429: 10 })
  const linkReply = await api.call('POST', `/scans/${run.scanId}/public-token`, { token: admin, body: {} })
  const { token: linkToken } = linkReply.body as { token: string }
  const ofGuest = { 'x-guest-token': linkToken }
  const guestStatuses: number[] = []
  for (let batch = 0; batch < 20; batch++)
    guestStatuses.push(...(await Promise.all(Array.from({ length: 200 }, () => openStream(ofGuest)))))
  expect(countByStatus(guestStatuses)).toEqual({ 200: 100, 429: 3900 })
  for (const openedStream of openRequests.splice(0)) openedStream.destroy()
  await expect.poll(() => openStream(ofPerson)).toBe(200)
})

it('starts no work for a refused stream', async () => {
  const ofPerson = { authorization: `Bearer ${admin}` }
  await Promise.all(Array.from({ length: 20 }, () => openStream(ofPerson)))
  const openPreview = async () => {
    const body = JSON.stringify({ settings: { name: 'Preview', urls: ['https://example.org/'] } })
    const { sent, reply } = openRequest('POST', '/scans/scope-preview', { ...ofPerson, 'content-type': 'application/json' })
    sent.end(body)
    const { statusCode, headers } = await reply
    return [statusCode, headers['retry-after']]
  }
  // More refusals than previews may run at once: each would otherwise keep a place.
  for (let attempt = 0; attempt < 10; attempt++) expect(await openPreview()).toEqual([429, '30'])
  for (const openedStream of openRequests.splice(0)) openedStream.destroy()
  // This server has no worker for it, but a place.
  await expect.poll(openPreview).toEqual([409, undefined])
})

it('limits the unfinished uploads of one person, and removes their files', async () => {
  const foldersBefore = new Set(listUploadFolders())
  const countFolders = () => listUploadFolders().filter((name) => !foldersBefore.has(name)).length
  openUpload(admin)
  openUpload(admin)
  await expect.poll(countFolders).toBe(2)
  expect((await openUpload(admin).reply).statusCode).toBe(429)
  // Another person has a count of their own.
  openUpload(await api.token('second', ['access', 'admin']))
  await expect.poll(countFolders).toBe(3)
  for (const openedUpload of openRequests.splice(0)) openedUpload.destroy()
  await expect.poll(countFolders, { timeout: 5000 }).toBe(0)
})

it('removes the files that a killed process has left at the next start, and keeps those in progress', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clearway-exhaust-'))
  const killed = spawnSync(process.execPath, ['-e', '0'])
  const [own] = listUploadFolders().filter((name) => name.startsWith(`clearway-upload-${process.pid}-`))
  expect(own).toBeUndefined()
  const { sent, reply } = openUpload(admin)
  reply.catch(() => undefined)
  await expect.poll(() => listUploadFolders().some((name) => name.startsWith(`clearway-upload-${process.pid}-`))).toBe(true)
  const current = listUploadFolders().find((name) => name.startsWith(`clearway-upload-${process.pid}-`))!
  sent.destroy()
  const [, ownStart = ''] = /^clearway-upload-\d+-(\d*)-/.exec(current)!
  const hourAgo = new Date(Date.now() - 3600 * 1000)
  const names = {
    current,
    // The same process id, started at another time.
    reused: current.replace(`-${ownStart}-`, `-${ownStart}1-`),
    killed: current.replace(`-${process.pid}-`, `-${killed.pid}-`),
    otherMachine: current.replace(/-[\da-f]{8}-/, '-00000000-'),
    otherMachineOld: `${current.replace(/-[\da-f]{8}-/, '-00000000-')}-old`,
    foreign: 'other-old',
  }
  for (const name of Object.values(names)) mkdirSync(join(folder, name, 'file'), { recursive: true })
  for (const name of [names.otherMachineOld, names.foreign]) utimesSync(join(folder, name), hourAgo, hourAgo)
  await removeStaleUploads(folder)
  const kept = Object.entries(names).flatMap(([kind, name]) => (existsSync(join(folder, name)) ? [kind] : []))
  expect(kept).toEqual(['current', 'otherMachine', 'foreign'])
  rmSync(folder, { recursive: true })
})
