/** @module-tag slow */
import { execFileSync, spawn, type ChildProcess, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, signIn } from './product/client.ts'
import { adminPassword, findFreePort, isPortFree, type Product, startProduct } from './product/start.ts'
import { type Receiver, startReceiver } from './product/receiver.ts'
import { buildFixtureScan, waitForRunEnd } from './product/results.ts'

// Metrics of the running product during a scan, and their use in deploy/monitoring.

const root = join(import.meta.dirname, '..')
const monitoring = join(root, 'deploy/monitoring')
const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-metrics-'))
const hasPrometheus = ['prometheus', 'promtool'].every((program) => !spawnSync(program, ['--version']).error)
if (!hasPrometheus) console.warn('Prometheus is not installed: its alerts and its dashboard are NOT TESTED here.')

let site: Site
let collector: Receiver
type SentSpan = { name: string; traceId: string; spanId: string; parentSpanId?: string }
const spans: SentSpan[] = []
let product: Product
let client: Client
let prometheus: ChildProcess | null = null
let ports: number[] = []
let queryPrometheus: (path: string) => Promise<unknown>

/** Finds two adjacent free ports, because the worker takes the port after the server's. */
async function findTwoPorts(): Promise<number[]> {
  for (;;) {
    const port = await findFreePort()
    if (await isPortFree(port + 1)) return [port, port + 1]
  }
}

async function startPrometheus(): Promise<void> {
  const port = await findFreePort()
  const config = join(dataFolder, 'prometheus.yml')
  const targets = ports.map((targetPort) => `'127.0.0.1:${targetPort}'`).join(', ')
  writeFileSync(
    config,
    readFileSync(join(monitoring, 'prometheus.yml'), 'utf8')
      .replaceAll('15s', '1s')
      .replace('alerts.yml', join(monitoring, 'alerts.yml'))
      .replace(/targets: .*/, `targets: [${targets}]`),
  )
  const listen = `127.0.0.1:${port}`
  const options = [`--config.file=${config}`, `--storage.tsdb.path=${dataFolder}/prometheus`]
  prometheus = spawn('prometheus', [...options, `--web.listen-address=${listen}`], { stdio: 'ignore' })
  queryPrometheus = async (path) => {
    const reply = await fetch(`http://${listen}/api/v1/${path}`)
    return (await reply.json()) as unknown
  }
  while ((await queryPrometheus('status/config').catch(() => null)) === null) await sleep(100)
}

const fetchMetrics = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
/** Returns the values of all series of a name, by their labels. */
const parseValues = (metricsText: string, name: string): Map<string, number> =>
  new Map(
    metricsText.split('\n').flatMap((line) => {
      const [, seriesName, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      return seriesName === name ? [[labels, Number(value)] as const] : []
    }),
  )
const sumValues = (values: Map<string, number>) => [...values.values()].reduce((total, value) => total + value, 0)

beforeAll(async () => {
  ports = await findTwoPorts()
  site = await startSite()
  if (hasPrometheus) await startPrometheus()
  collector = await startReceiver((_, body) => {
    type SentTraces = { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }
    const { resourceSpans } = JSON.parse(body) as SentTraces
    spans.push(...resourceSpans.flatMap((resourceSpan) => resourceSpan.scopeSpans.flatMap((scope) => scope.spans)))
  })
  const env = {
    CLEARWAY_METRICS_PORT: String(ports[0]),
    CLEARWAY_WEB: 'false',
    CLEARWAY_LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  }
  product = await startProduct({ data: dataFolder, port: await findFreePort(), env })
  client = await signIn(product.url, 'admin', adminPassword)
}, 240_000)
afterAll(async () => {
  prometheus?.kill()
  await product?.stop()
  await site?.close()
  await collector?.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

let endedPages: { completed: number; failed: number }
it('counts the work of a run in the process that performs it', { timeout: 240_000 }, async () => {
  const scan = { ...buildFixtureScan('Measured', site.url), pageLimit: 15 }
  const { id } = await client<{ id: string }>('POST', '/scans', scan)
  await client('POST', `/scans/${id}/startRun`)
  const { number } = await waitForRunEnd(client, id, 200_000)
  type Overview = { pages: { completed: number; failed: number } }
  const { pages } = await client<Overview>('GET', `/scans/${id}/runs/${number}/overview`)
  endedPages = pages
  const [server, worker] = await Promise.all(ports.map(fetchMetrics))
  const counted = parseValues(worker!, 'clearway_pages_total')
  expect(counted.get('outcome="completed"')).toBe(pages.completed)
  expect(counted.get('outcome="failed"')).toBe(pages.failed)
  expect(sumValues(parseValues(worker!, 'clearway_page_failures_total'))).toBe(pages.failed)
  expect(sumValues(parseValues(worker!, 'clearway_page_axe_duration_seconds_count'))).toBeGreaterThanOrEqual(pages.completed)
  expect(sumValues(parseValues(worker!, 'clearway_page_settle_duration_seconds_count'))).toBeGreaterThan(0)
  expect(sumValues(parseValues(worker!, 'clearway_browser_starts_total'))).toBeGreaterThan(0)
  expect(sumValues(parseValues(worker!, 'clearway_database_connections'))).toBeGreaterThan(0)
  expect(parseValues(worker!, 'clearway_runs_ended_total').get('end="drained"')).toBe(1)
  expect(parseValues(server!, 'clearway_sign_ins_total').get('result="in"')).toBe(1)
  const states = ['clearway_database_up', 'clearway_workers', 'clearway_runs_waiting', 'clearway_pages_waiting']
  expect(states.map((name) => sumValues(parseValues(server!, name)))).toEqual([1, 1, 0, 0])
})

it('exports figures only from the process that measures them', async () => {
  const [server, worker] = await Promise.all(ports.map(fetchMetrics))
  const listSeries = (metricsText: string) => new Set(metricsText.match(/^clearway_\w+/gm))
  const sharedNames = [...listSeries(server!)].filter((name) => listSeries(worker!).has(name))
  expect(sharedNames.toSorted()).toEqual([
    'clearway_database_connections',
    'clearway_database_connections_max',
    'clearway_database_requests_waiting',
    'clearway_disk_free_bytes',
    'clearway_disk_size_bytes',
    'clearway_large_reads_total',
  ])
  expect(listSeries(worker!)).not.toContain('clearway_database_up')
})

it('logs the start, the work and the facts of each, one object a line', () => {
  type LogLine = {
    level: number
    msg: string
    roles?: string[]
    run?: string
    seconds?: number
    settings?: string[]
    schema?: string
  }
  const lines = product
    .output()
    .split('\n')
    // The lines for the person who starts it.
    .filter((line) => line !== '' && !/^(Clearway is ready at|Create the first administrator:) /.test(line))
    .map((line) => JSON.parse(line) as LogLine)
  const findAll = (message: string) => lines.filter(({ msg }) => msg === message)
  const listWorkerMarks = (message: string) => new Set(findAll(message).map(({ roles }) => roles!.includes('worker')))
  expect([listWorkerMarks('starting'), listWorkerMarks('ready')]).toEqual([new Set([false, true]), new Set([false, true])])
  expect(findAll('starting')[0]!.settings).toContain('CLEARWAY_LOG_LEVEL=debug')
  const migratedSchemas = findAll('database migrated').map(({ schema }) => schema)
  expect([migratedSchemas.length, new Set(migratedSchemas)]).toEqual([3, new Set(['account', 'idp', 'monitor'])])
  expect(JSON.stringify(lines)).not.toContain(adminPassword)
  for (const message of ['worker joined', 'browser found', 'browser started', 'run queued', 'run started', 'run ended'])
    expect([message, findAll(message).length]).toEqual([message, 1])
  expect(findAll('run ended')[0]).toMatchObject({
    end: 'drained',
    run: findAll('run queued')[0]!.run,
    status: 'completed',
    failed: endedPages.failed,
    completed: endedPages.completed,
  })
  expect(findAll('run ended')[0]!.seconds).toBeGreaterThan(0)
})

it('connects the call that starts a run with the transaction of each page by one trace', async () => {
  const findStartSpan = () => spans.find(({ name }) => name === 'POST /monitor-api/scans/:id/startRun')
  const findRunSpan = () => spans.find(({ name }) => name === 'run')
  // Spans are sent every five seconds.
  while (!findStartSpan() || !findRunSpan()) await sleep(100)
  const traceSpans = spans.filter(({ traceId }) => traceId === findStartSpan()!.traceId)
  const listChildSpans = (parent: SentSpan) => traceSpans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
  expect(findStartSpan()!.parentSpanId).toBeUndefined()
  expect(listChildSpans(findStartSpan()!)).toEqual([findRunSpan()])
  const pages = listChildSpans(findRunSpan()!).filter(({ name }) => name === 'page')
  expect(pages.length).toBeGreaterThanOrEqual(15)
  for (const page of pages) expect(listChildSpans(page).map(({ name }) => name)).toEqual(['record page'])
  const logLine = product.output().match(/.*"route":"\/monitor-api\/scans\/:id\/startRun".*/)![0]
  expect(JSON.parse(logLine)).toMatchObject({ trace_id: findStartSpan()!.traceId, span_id: findStartSpan()!.spanId })
  expect(JSON.stringify(spans)).not.toContain(new URL(site.url).host)
})

it('names routes by their pattern, never by input of a stranger', async () => {
  await fetch(`${product.url}/not/a/route/of-ours`, { method: 'DELETE' })
  const server = await fetchMetrics(ports[0]!)
  const callCounts = parseValues(server, 'clearway_http_request_duration_seconds_count')
  expect(callCounts.get('method="POST",route="/monitor-api/scans/:id/startRun",code="202"')).toBe(1)
  expect(callCounts.get('method="any",route="none",code="404"')).toBe(1)
  const metricsText = server + (await fetchMetrics(ports[1]!))
  expect(metricsText).not.toContain('of-ours')
  expect(metricsText).not.toContain(new URL(site.url).host)
  // Prevents unbounded series in the metrics database.
  expect(metricsText.split('\n').length).toBeLessThan(4000)
})

it('serves nothing but metrics', async () => {
  for (const path of ['/', '/health/live', '/metrics/x'])
    expect((await fetch(`http://127.0.0.1:${ports[0]!}${path}`)).status).toBe(404)
})

it('has every metric that alerts, dashboard and documentation name', async () => {
  const metricsText = (await Promise.all(ports.map(fetchMetrics))).join('\n')
  const typeByMetric = new Map([...metricsText.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]))
  const isHistogram = (name: string) => typeByMetric.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram'
  const files = [
    ...readdirSync(monitoring).map((name) => join(monitoring, name)),
    ...['docs/MONITORING.md', 'docs/RUNBOOK.md'].map((name) => join(root, name)),
  ]
  for (const file of files) {
    const namedMetrics = readFileSync(file, 'utf8').match(/\b(clearway|nodejs|process)_[a-z0-9]+_[a-z0-9_]+/g) ?? []
    expect(namedMetrics.filter((name) => !typeByMetric.has(name) && !isHistogram(name))).toEqual([])
  }
  const documented = readFileSync(join(root, 'docs/MONITORING.md'), 'utf8')
  const ownMetrics = [...typeByMetric.keys()].filter((name) => name.startsWith('clearway_'))
  expect(ownMetrics.filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
})

it('has a section of the runbook for every alert, and no other', () => {
  const alerts = readFileSync(join(monitoring, 'alerts.yml'), 'utf8').matchAll(/- alert: (\w+)/g)
  const sections = readFileSync(join(root, 'docs/RUNBOOK.md'), 'utf8').matchAll(/^## (Clearway\w+)$/gm)
  const collectNames = (matches: Iterable<RegExpMatchArray>) => new Set([...matches].map(([, name]) => name))
  expect(collectNames(sections)).toEqual(collectNames(alerts))
})

describe.skipIf(!hasPrometheus)('with Prometheus', () => {
  it('fires each alert when it should, and none in normal operation', () => {
    const tests = execFileSync('promtool', ['test', 'rules', join(monitoring, 'alerts.test.yml')], { encoding: 'utf8' })
    expect(tests).toContain('SUCCESS')
  })

  it('returns metrics of this run for every query of the dashboard', { timeout: 60_000 }, async () => {
    type Panel = { title: string; targets?: { expr: string }[] }
    const { panels } = JSON.parse(readFileSync(join(monitoring, 'dashboard.json'), 'utf8')) as { panels: Panel[] }
    const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
    expect(queries.length).toBeGreaterThan(30)
    // A rate needs two readings.
    await sleep(3000)
    for (const { title, expr } of queries) {
      const query = expr.replaceAll('$__rate_interval', '4m')
      const reply = await queryPrometheus(`query?query=${encodeURIComponent(query)}`)
      expect([title, reply]).toMatchObject([title, { status: 'success' }])
      const { data: queryData } = reply as { data: { result: unknown[] } }
      expect([title, expr, queryData.result.length > 0]).toEqual([title, expr, true])
    }
  })

  it('fires no alert after a successful run', async () => {
    const { data: alertData } = (await queryPrometheus('alerts')) as {
      data: { alerts: { labels: { alertname: string }; state: string }[] }
    }
    const firing = alertData.alerts.filter(({ state }) => state === 'firing')
    expect(firing.map(({ labels }) => labels.alertname)).toEqual([])
  })
})
