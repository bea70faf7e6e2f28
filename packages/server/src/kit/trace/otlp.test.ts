import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTraces } from './otlp.ts'
import { beginSpan, keepTraces, traced, traceOfLine, traceparent, within } from './span.ts'

type Sent = { name: string; traceId: string; spanId: string; parentSpanId?: string; status: { code: number } }
let sent: Sent[] = []
let keys: unknown[] = []
let refuses = false
const collector = createServer((request, response) => {
  let body = ''
  request.on('data', (part: Buffer) => (body += part.toString()))
  request.on('end', () => {
    keys.push(request.headers['x-key'])
    type Body = { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] }
    const { resourceSpans } = JSON.parse(body) as Body
    sent.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans)))
    response.writeHead(refuses ? 400 : 200, { 'content-type': 'application/json' }).end('{}')
  })
})
beforeAll(() => new Promise<void>((done) => collector.listen(0, '127.0.0.1', done)))
afterAll(() => void collector.close())
beforeEach(() => {
  sent = []
  keys = []
  refuses = false
})

const said: string[] = []
const open = (percent = 100) => {
  const { port } = collector.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const log = (message: string) => void said.push(message)
  const traces = openTraces({ url, headers: { 'x-key': 'of ours' }, percent, version: '1', log })
  keepTraces(traces.begin)
  return async () => {
    keepTraces(null)
    await traces.stop()
  }
}

it('keeps what belongs together, over processes too, as one trace', async () => {
  const stop = open()
  let carried: string | null = null
  const call = beginSpan('call', { server: true })
  await within(call, () =>
    traced('work', {}, async () => {
      await sleep(1)
      carried = traceparent()
      expect(traceOfLine()).toEqual({ trace_id: call!.traceId, span_id: expect.any(String) as string })
    }),
  )
  call!.end({ code: 200 })
  const failing = traced('elsewhere', { parent: carried }, () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  await stop()
  const byName = Object.fromEntries(sent.map((span) => [span.name, span]))
  expect(Object.keys(byName).sort()).toEqual(['call', 'elsewhere', 'work'])
  expect(new Set(sent.map(({ traceId }) => traceId)).size).toBe(1)
  expect(byName.call!.parentSpanId).toBeUndefined()
  expect(byName.work!.parentSpanId).toBe(byName.call!.spanId)
  expect(byName.elsewhere!.parentSpanId).toBe(byName.work!.spanId)
  expect(byName.elsewhere!.status.code).toBe(2)
  expect(keys).toEqual(['of ours'])
})

it('keeps a share of the traces, whole ones, whatever a caller asks for', async () => {
  const stop = open(10)
  for (let count = 0; count < 300; count++)
    await traced('root', {}, () => traced('part', { parent: traceparent() }, () => Promise.resolve()))
  const asked = `00-${'f'.repeat(8)}${'0'.repeat(24)}-${'1'.repeat(16)}-01`
  await traced('asked', { parent: asked }, () => Promise.resolve())
  await stop()
  const count = (name: string) => sent.filter((span) => span.name === name).length
  expect(count('root')).toBeGreaterThan(0)
  expect(count('root')).toBeLessThan(100)
  expect(count('part')).toBe(count('root'))
  expect(count('asked')).toBe(0)
})

it('says that a collector takes nothing, and goes on', async () => {
  refuses = true
  const stop = open()
  await traced('lost', {}, () => Promise.resolve())
  await stop()
  expect(said).toEqual([expect.stringMatching(/^traces: 1 spans were not taken: /)])
})

it('is nothing while no traces are kept', async () => {
  expect(await traced('nothing', {}, () => Promise.resolve(traceparent()))).toBeNull()
  expect(beginSpan('nothing', {})).toBeNull()
  expect(traceOfLine()).toEqual({})
})
