import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTraces } from './otlp.ts'
import { startSpan, setSpanFactory, traceWork, getLogTraceFields, getTraceparent, runInSpan } from './span.ts'

type SentSpan = { name: string; traceId: string; spanId: string; parentSpanId?: string; status: { code: number } }
let sentSpans: SentSpan[] = []
let receivedKeys: unknown[] = []
let isRefusing = false
const collector = createServer((request, response) => {
  let requestBody = ''
  request.on('data', (part: Buffer) => (requestBody += part.toString()))
  request.on('end', () => {
    receivedKeys.push(request.headers['x-key'])
    type TraceBody = { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }
    const { resourceSpans } = JSON.parse(requestBody) as TraceBody
    sentSpans.push(...resourceSpans.flatMap((resourceSpan) => resourceSpan.scopeSpans.flatMap(({ spans }) => spans)))
    response.writeHead(isRefusing ? 400 : 200, { 'content-type': 'application/json' }).end('{}')
  })
})
beforeAll(() => new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve)))
afterAll(() => void collector.close())
beforeEach(() => {
  sentSpans = []
  receivedKeys = []
  isRefusing = false
})

const loggedMessages: string[] = []
const startTraces = (percent = 100) => {
  const { port } = collector.address() as AddressInfo
  const collectorUrl = `http://127.0.0.1:${port}`
  const logMessage = (message: string) => void loggedMessages.push(message)
  const openedTraces = openTraces({ url: collectorUrl, headers: { 'x-key': 'of ours' }, percent, version: '1', log: logMessage })
  setSpanFactory(openedTraces.begin)
  return async () => {
    setSpanFactory(null)
    await openedTraces.stop()
  }
}

it('joins related work in one trace, across processes, too', async () => {
  const stopTraces = startTraces()
  let carriedParent: string | null = null
  const callSpan = startSpan('call', { server: true })
  await runInSpan(callSpan, () =>
    traceWork('work', {}, async () => {
      await sleep(1)
      carriedParent = getTraceparent()
      expect(getLogTraceFields()).toEqual({ trace_id: callSpan!.traceId, span_id: expect.any(String) as string })
    }),
  )
  callSpan!.end({ code: 200 })
  const failingWork = traceWork('elsewhere', { parent: carriedParent }, () => Promise.reject(new Error('no')))
  await expect(failingWork).rejects.toThrow('no')
  await stopTraces()
  const spansByName = Object.fromEntries(sentSpans.map((span) => [span.name, span]))
  expect(Object.keys(spansByName).sort()).toEqual(['call', 'elsewhere', 'work'])
  expect(new Set(sentSpans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(spansByName.call!.parentSpanId).toBeUndefined()
  expect(spansByName.work!.parentSpanId).toBe(spansByName.call!.spanId)
  expect(spansByName.elsewhere!.parentSpanId).toBe(spansByName.work!.spanId)
  expect(spansByName.elsewhere!.status.code).toBe(2)
  expect(receivedKeys).toEqual(['of ours'])
})

it('samples whole traces, regardless of the caller’s request', async () => {
  const stopTraces = startTraces(10)
  for (let index = 0; index < 300; index++)
    await traceWork('root', {}, () => traceWork('part', { parent: getTraceparent() }, () => Promise.resolve()))
  const requestedParent = `00-${'f'.repeat(8)}${'0'.repeat(24)}-${'1'.repeat(16)}-01`
  await traceWork('asked', { parent: requestedParent }, () => Promise.resolve())
  await stopTraces()
  const countSpans = (name: string) => sentSpans.filter((span) => span.name === name).length
  expect(countSpans('root')).toBeGreaterThan(0)
  expect(countSpans('root')).toBeLessThan(100)
  expect(countSpans('part')).toBe(countSpans('root'))
  expect(countSpans('asked')).toBe(0)
})

it('logs refusals of the collector, and continues', async () => {
  isRefusing = true
  const stopTraces = startTraces()
  await traceWork('lost', {}, () => Promise.resolve())
  await stopTraces()
  expect(loggedMessages).toEqual([expect.stringMatching(/^traces: 1 spans were not taken: /)])
})

it('does nothing while tracing is disabled', async () => {
  expect(await traceWork('nothing', {}, () => Promise.resolve(getTraceparent()))).toBeNull()
  expect(startSpan('nothing', {})).toBeNull()
  expect(getLogTraceFields()).toEqual({})
})
