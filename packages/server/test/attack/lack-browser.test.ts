/** @module-tag slow */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '@clearway/engine/browser/find-browser.ts'
import { findFullDisk } from '../../src/kit/disk.ts'
import { startWorkerRole } from '../../src/process/worker.ts'
import { buildScanBody, openTestApi, type TestApi } from '../api.ts'

// A browser that was there and does not start for a while. The run waits, and ends as if nothing had been.

const isRoot = process.getuid?.() === 0
const folder = mkdtempSync(join(tmpdir(), 'clearway-lack-'))
const lackFile = join(folder, 'lack')
const disk = join(folder, 'disk')
const logLines: string[] = []
let api: TestApi
let admin: { token: string }
let worker: { stop: () => Promise<void> }
const site = createServer((request, reply) => {
  reply.setHeader('content-type', 'text/html').end(`<title>${request.url}</title><a href="/second">x</a><a href="/third">y</a>`)
})
const setLack = (isLacking: boolean) => (isLacking ? writeFileSync(lackFile, '') : rmSync(lackFile, { force: true }))

beforeAll(async () => {
  const found = await findBrowser({ setting: process.env.CLEARWAY_BROWSER ?? null, cacheFolder: folder, sandbox: false })
  if (!found.found) throw new Error(found.remedy)
  const program = join(folder, 'browser')
  writeFileSync(program, `#!/bin/sh\n[ -e '${lackFile}' ] && exit 1\nexec '${found.facts.path}' "$@"\n`)
  chmodSync(program, 0o755)
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const environment = { CLEARWAY_BROWSER: program, CLEARWAY_SANDBOX: 'off', CLEARWAY_ALLOW_PRIVATE: '127.0.0.1' }
  api = await openTestApi({ environment })
  admin = { token: await api.token('admin', ['access', 'admin']) }
  worker = await startWorkerRole({ ...api, log: (_level, message) => logLines.push(message) })
})
afterAll(async () => {
  setLack(false)
  await worker.stop()
  await api.close()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

type RunRow = { status: string; pages: { completed: number }; problem: string | null; problemDetail: string | null }
async function startRun(name: string): Promise<() => Promise<RunRow>> {
  const urls = [`http://127.0.0.1:${(site.address() as AddressInfo).port}/`]
  const { id } = (await api.call('POST', '/scans', { ...admin, body: buildScanBody(name, { urls }) })).body as { id: string }
  expect((await api.call('POST', `/scans/${id}/startRun`, admin)).status).toBe(202)
  return async () => ((await api.call('GET', `/scans/${id}/runs`, admin)).body as { content: RunRow[] }).content[0]!
}
const readBrowser = async () => (await api.db.selectFrom('worker').select('browser').execute())[0]?.browser
const readProblem = async () => (await api.db.selectFrom('worker').select('problem').execute())[0]?.problem
const readEnd = async (read: Awaited<ReturnType<typeof startRun>>) => {
  const { status, pages } = await read()
  return [status, pages.completed]
}

describe('a browser that does not start for a while', () => {
  it('lets a run wait, and end complete', { timeout: 120_000 }, async () => {
    // The worker has found its browser.
    const before = await startRun('Before')
    await expect.poll(() => readEnd(before), { timeout: 60_000 }).toEqual(['completed', 3])
    await worker.stop()
    worker = await startWorkerRole({ ...api, log: (_level, message) => logLines.push(message) })
    // The search succeeds before the lack.
    await expect.poll(readBrowser, { timeout: 60_000 }).toBeTruthy()
    setLack(true)
    const waiting = await startRun('Waiting')
    await expect.poll(() => logLines.join('\n'), { timeout: 60_000 }).toMatch(/The run \S+ waits \(no-browser\): /)
    await expect.poll(waiting, { timeout: 60_000 }).toMatchObject({ status: 'running', problem: 'no-browser' })
    // The worker itself is not usable either, and says so.
    await expect.poll(readProblem, { timeout: 60_000 }).toMatch(/CLEARWAY_BROWSER/)
    setLack(false)
    await expect.poll(() => readEnd(waiting), { timeout: 60_000 }).toEqual(['completed', 3])
    expect((await waiting()).problem).not.toBe('no-browser')
    await expect.poll(readProblem, { timeout: 60_000 }).toBeNull()
  })

  it('lets a run wait that found none from the start, and says why', { timeout: 120_000 }, async () => {
    await worker.stop()
    setLack(true)
    worker = await startWorkerRole({ ...api, log: (_level, message) => logLines.push(message) })
    const waiting = await startRun('None')
    await expect.poll(waiting, { timeout: 60_000 }).toMatchObject({
      status: 'queued',
      problem: 'no-browser',
      problemDetail: expect.stringContaining('CLEARWAY_BROWSER') as string,
    })
    // Another worker has one.
    setLack(false)
    const other = await startWorkerRole({ ...api, log: () => undefined })
    try {
      await expect.poll(() => readEnd(waiting), { timeout: 60_000 }).toEqual(['completed', 3])
      expect((await waiting()).problem).not.toBe('no-browser')
    } finally {
      await other.stop()
    }
  })

  it.runIf(isRoot)('because its disk is full, is told apart', { timeout: 120_000 }, async () => {
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=50m', 'tmpfs', disk])
    const previousFolder = process.env.TMPDIR
    try {
      expect([await findFullDisk([folder]), await findFullDisk([folder, disk])]).toEqual([null, disk])
      process.env.TMPDIR = disk
      await worker.stop()
      worker = await startWorkerRole({ ...api, log: (_level, message) => logLines.push(message) })
      await expect.poll(readBrowser, { timeout: 60_000 }).toBeTruthy()
      setLack(true)
      logLines.length = 0
      const waiting = await startRun('Full')
      await expect.poll(() => logLines.join('\n'), { timeout: 60_000 }).toMatch(/waits \(disk-full\): The disk of \S+ is full/)
      expect((await waiting()).status).toBe('running')
      setLack(false)
      await expect.poll(() => readEnd(waiting), { timeout: 60_000 }).toEqual(['completed', 3])
    } finally {
      if (previousFolder === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = previousFolder
      execFileSync('umount', ['-l', disk])
    }
  })
})
