import { execFileSync, spawn, type ChildProcess, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, signIn } from './product/client.ts'
import { adminPassword, freePort, type Product, startProduct } from './product/start.ts'
import { type Receiver, startReceiver } from './product/receiver.ts'
import { fixtureScan, runEnded } from './product/results.ts'

// The figures that the running product gives while it scans, and what deploy/monitoring makes of them.

const root = join(import.meta.dirname, '..')
const monitoring = join(root, 'deploy/monitoring')
const data = mkdtempSync(join(tmpdir(), 'clearway-metrics-'))
const hasPrometheus = ['prometheus', 'promtool'].every((program) => !spawnSync(program, ['--version']).error)
if (!hasPrometheus)
  console.warn('Prometheus is not installed: its alerts and its dashboard are NOT TESTED here.')

let site: Site
let collector: Receiver
type SentSpan = { name: string; traceId: string; spanId: string; parentSpanId?: string }
const spans: SentSpan[] = []
let product: Product
let client: Client
let prometheus: ChildProcess | null = null
let ports: number[] = []
let ask: (path: string) => Promise<unknown>

/**
 * The worker takes the port after the server's. Both from below those that the system gives to connections: of every two ports one
 * is likely to be a connection's by the time that somebody listens.
 */
async function twoPorts(): Promise<number[]> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const asked = [port, port + 1].map((one) => fetch(`http://127.0.0.1:${one}`).catch(() => null))
    if ((await Promise.all(asked)).every((answer) => answer === null)) return [port, port + 1]
  }
}

async function startPrometheus(): Promise<void> {
  const port = await freePort()
  const config = join(data, 'prometheus.yml')
  const targets = ports.map((own) => `'127.0.0.1:${own}'`).join(', ')
  writeFileSync(
    config,
    readFileSync(join(monitoring, 'prometheus.yml'), 'utf8')
      .replaceAll('15s', '1s')
      .replace('alerts.yml', join(monitoring, 'alerts.yml'))
      .replace(/targets: .*/, `targets: [${targets}]`),
  )
  const listen = `127.0.0.1:${port}`
  const options = [`--config.file=${config}`, `--storage.tsdb.path=${data}/prometheus`]
  prometheus = spawn('prometheus', [...options, `--web.listen-address=${listen}`], { stdio: 'ignore' })
  ask = async (path) => {
    const reply = await fetch(`http://${listen}/api/v1/${path}`)
    return (await reply.json()) as unknown
  }
  while ((await ask('status/config').catch(() => null)) === null) await sleep(100)
}

const figures = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
/** The values of all series of a name, by their labels. */
const valuesOf = (text: string, name: string): Map<string, number> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, own, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      return own === name ? [[labels, Number(value)] as const] : []
    }),
  )
const sum = (values: Map<string, number>) => [...values.values()].reduce((all, value) => all + value, 0)

beforeAll(async () => {
  ports = await twoPorts()
  site = await startSite()
  if (hasPrometheus) await startPrometheus()
  collector = await startReceiver((_, body) => {
    type Sent = { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }
    const { resourceSpans } = JSON.parse(body) as Sent
    spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)))
  })
  const env = {
    CLEARWAY_METRICS_PORT: String(ports[0]),
    CLEARWAY_WEB: 'false',
    CLEARWAY_LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  }
  product = await startProduct({ data, port: await freePort(), env })
  client = await signIn(product.url, 'admin', adminPassword)
}, 240_000)
afterAll(async () => {
  prometheus?.kill()
  await product?.stop()
  await site?.close()
  await collector?.close()
  rmSync(data, { recursive: true, force: true })
})

it('counts what a run does, in the process that does it', { timeout: 240_000 }, async () => {
  const scan = { ...fixtureScan('Measured', site.url), pageLimit: 15 }
  const { id } = await client<{ id: string }>('POST', '/scans', scan)
  await client('POST', `/scans/${id}/startRun`)
  const { number } = await runEnded(client, id, 200_000)
  type Overview = { pages: { completed: number; failed: number } }
  const { pages } = await client<Overview>('GET', `/scans/${id}/runs/${number}/overview`)
  const [server, worker] = await Promise.all(ports.map(figures))
  const counted = valuesOf(worker!, 'clearway_pages_total')
  expect(counted.get('outcome="completed"')).toBe(pages.completed)
  expect(counted.get('outcome="failed"')).toBe(pages.failed)
  expect(sum(valuesOf(worker!, 'clearway_page_failures_total'))).toBe(pages.failed)
  expect(sum(valuesOf(worker!, 'clearway_page_axe_duration_seconds_count'))).toBeGreaterThanOrEqual(
    pages.completed,
  )
  expect(sum(valuesOf(worker!, 'clearway_page_settle_duration_seconds_count'))).toBeGreaterThan(0)
  expect(sum(valuesOf(worker!, 'clearway_browser_starts_total'))).toBeGreaterThan(0)
  expect(sum(valuesOf(worker!, 'clearway_database_connections'))).toBeGreaterThan(0)
  expect(valuesOf(worker!, 'clearway_runs_ended_total').get('end="drained"')).toBe(1)
  expect(valuesOf(server!, 'clearway_sign_ins_total').get('result="in"')).toBe(1)
  const states = [
    'clearway_database_up',
    'clearway_workers',
    'clearway_runs_waiting',
    'clearway_pages_waiting',
  ]
  expect(states.map((name) => sum(valuesOf(server!, name)))).toEqual([1, 1, 0, 0])
})

it('leads by one trace from the call that starts a run to the transaction of each page', async () => {
  const called = () => spans.find(({ name }) => name === 'POST /monitor-api/scans/:id/startRun')
  const run = () => spans.find(({ name }) => name === 'run')
  // They are sent every five seconds.
  while (!called() || !run()) await sleep(100)
  const own = spans.filter(({ traceId }) => traceId === called()!.traceId)
  const partsOf = (parent: SentSpan) => own.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
  expect(called()!.parentSpanId).toBeUndefined()
  expect(partsOf(called()!)).toEqual([run()])
  const pages = partsOf(run()!).filter(({ name }) => name === 'page')
  expect(pages.length).toBeGreaterThanOrEqual(15)
  for (const page of pages) expect(partsOf(page).map(({ name }) => name)).toEqual(['record page'])
  const line = product.output().match(/.*"route":"\/monitor-api\/scans\/:id\/startRun".*/)![0]
  expect(JSON.parse(line)).toMatchObject({ trace_id: called()!.traceId, span_id: called()!.spanId })
  expect(JSON.stringify(spans)).not.toContain(new URL(site.url).host)
})

it('names routes by their pattern, and nothing that a stranger chose', async () => {
  await fetch(`${product.url}/not/a/route/of-ours`, { method: 'DELETE' })
  const server = await figures(ports[0]!)
  const calls = valuesOf(server, 'clearway_http_request_duration_seconds_count')
  expect(calls.get('method="POST",route="/monitor-api/scans/:id/startRun",code="202"')).toBe(1)
  expect(calls.get('method="any",route="none",code="404"')).toBe(1)
  const text = server + (await figures(ports[1]!))
  expect(text).not.toContain('of-ours')
  expect(text).not.toContain(new URL(site.url).host)
  // So that nobody's database of figures is filled.
  expect(text.split('\n').length).toBeLessThan(4000)
})

it('gives nothing but the figures', async () => {
  for (const path of ['/', '/health/live', '/metrics/x'])
    expect((await fetch(`http://127.0.0.1:${ports[0]!}${path}`)).status).toBe(404)
})

it('has every figure that alerts, dashboard and documentation name', async () => {
  const text = (await Promise.all(ports.map(figures))).join('\n')
  const there = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]))
  const histogram = (name: string) => there.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram'
  const files = [
    ...readdirSync(monitoring).map((name) => join(monitoring, name)),
    ...['docs/MONITORING.md', 'docs/RUNBOOK.md'].map((name) => join(root, name)),
  ]
  for (const file of files) {
    const named = readFileSync(file, 'utf8').match(/\b(clearway|nodejs|process)_[a-z0-9]+_[a-z0-9_]+/g) ?? []
    expect(named.filter((name) => !there.has(name) && !histogram(name))).toEqual([])
  }
  const documented = readFileSync(join(root, 'docs/MONITORING.md'), 'utf8')
  const own = [...there.keys()].filter((name) => name.startsWith('clearway_'))
  expect(own.filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
})

it('has a section of the runbook for every alert, and no other', () => {
  const alerts = readFileSync(join(monitoring, 'alerts.yml'), 'utf8').matchAll(/- alert: (\w+)/g)
  const sections = readFileSync(join(root, 'docs/RUNBOOK.md'), 'utf8').matchAll(/^## (Clearway\w+)$/gm)
  const namesOf = (found: Iterable<RegExpMatchArray>) => new Set([...found].map(([, name]) => name))
  expect(namesOf(sections)).toEqual(namesOf(alerts))
})

describe.skipIf(!hasPrometheus)('with Prometheus', () => {
  it('fires each alert when it should, and none when all is well', () => {
    const tests = execFileSync('promtool', ['test', 'rules', join(monitoring, 'alerts.test.yml')], {
      encoding: 'utf8',
    })
    expect(tests).toContain('SUCCESS')
  })

  it('answers every query of the dashboard with figures of this run', { timeout: 60_000 }, async () => {
    type Panel = { title: string; targets?: { expr: string }[] }
    const { panels } = JSON.parse(readFileSync(join(monitoring, 'dashboard.json'), 'utf8')) as {
      panels: Panel[]
    }
    const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
    expect(queries.length).toBeGreaterThan(30)
    // A rate needs two readings.
    await sleep(3000)
    for (const { title, expr } of queries) {
      const query = expr.replaceAll('$__rate_interval', '4m')
      const reply = await ask(`query?query=${encodeURIComponent(query)}`)
      expect([title, reply]).toMatchObject([title, { status: 'success' }])
      const { data: found } = reply as { data: { result: unknown[] } }
      expect([title, expr, found.result.length > 0]).toEqual([title, expr, true])
    }
  })

  it('has nothing to alert of after a run that went well', async () => {
    const { data: found } = (await ask('alerts')) as {
      data: { alerts: { labels: { alertname: string }; state: string }[] }
    }
    const firing = found.alerts.filter(({ state }) => state === 'firing')
    expect(firing.map(({ labels }) => labels.alertname)).toEqual([])
  })
})
