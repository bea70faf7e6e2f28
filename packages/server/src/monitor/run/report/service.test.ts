import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, type TestRun, recordRun } from '../../../../test/run.ts'
import { sendReportOfEndedRun } from './service.ts'

const secret = 'a secret of sixteen'
let api: TestApi
let server: Server
let run: TestRun
let answers: number[] = []
const received: { headers: IncomingHttpHeaders; body: string }[] = []
beforeAll(async () => {
  server = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      reply.writeHead(answers.shift() ?? 200).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ingest`
  api = await openTestApi({ environment: { CLEARWAY_REPORTS_INGEST_URL: url, CLEARWAY_REPORTS_SECRET: secret } })
  run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Reported')
})
afterAll(async () => {
  await api.close()
  server.close()
})
const sendReport = async () =>
  (await api.call('POST', `/scans/${run.scanId}/runs/1/report`, { token: await api.token('a', ['access', 'admin']) })).body

it('signs a summary, and retries after temporary failures', async () => {
  answers = [500]
  expect(await sendReport()).toEqual({ success: true })
  expect(received).toHaveLength(2)
  const { headers, body } = received[1]!
  const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-clearway-signature']))!
  expect(signature).toBe(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'))
  expect(JSON.parse(body)).toMatchObject({ event: 'run', run: { number: 1, score: 0, openIssues: { critical: 1 } } })
})

it('reports a refusal without a retry', async () => {
  const previousCount = received.length
  answers = [403]
  expect(await sendReport()).toEqual({ success: false, message: 'The reporting product returned status 403.' })
  expect(received).toHaveLength(previousCount + 1)
})

it('sends completed runs automatically, but no cancelled ones', async () => {
  const previousCount = received.length
  const url = api.config.CLEARWAY_REPORTS_INGEST_URL!
  const deps = { ...api, report: { url, secret } }
  await sendReportOfEndedRun(deps, run.id)
  expect(received).toHaveLength(previousCount + 1)
  await api.db.updateTable('run').set({ status: 'cancelled' }).where('id', '=', run.id).execute()
  await sendReportOfEndedRun(deps, run.id)
  expect(received).toHaveLength(previousCount + 1)
})
