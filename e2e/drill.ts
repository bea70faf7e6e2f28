import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFakeClock, fillDisk, startTree } from './fault/faults.ts'
import { type FiringAlert, startAlerting, readRunbook } from './fault/alerting.ts'
import { startSinglePostgres } from './fault/single-postgres.ts'
import { type Client, createCaller, fetchToken } from './product/client.ts'
import { adminPassword, findFreePort, type Product, startProduct } from './product/start.ts'

/**
 * A drill of docs/RUNBOOK.md. Ten faults are injected, one after the other, into a server and a worker on a PostgreSQL of their
 * own. Each must be found by what an operator has: the alert that fires, its section of the runbook, the log since the fault, the
 * readiness of each process and the health page. Then the remedy of the runbook is applied, and the alert must end. Prints
 * what the operator sees, step by step. The durations of the alerts are divided by twenty.
 *
 *   node scripts/node24.mjs e2e/drill.ts [--blind] [FAULT…]      as root, with Debian's postgresql-15, prometheus and faketime
 *
 * With --blind, the output names neither the fault nor the expected finding: for someone who has not seen the code.
 */
const wantedFaults = process.argv.slice(2).filter((argument) => argument !== '--blind')
const isBlind = process.argv.includes('--blind')

const folder = mkdtempSync(join(tmpdir(), 'clearway-drill-'))
chmodSync(folder, 0o755)
const serverFolder = join(folder, 'server')
mkdirSync(serverFolder)
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500m,mode=755', 'tmpfs', serverFolder])
const clock = createFakeClock(`${folder}.clock`)
assert(clock, 'The drill needs libfaketime (apt-get install faketime).')

let siteMode: 'ok' | 'slow' | 'blocking' = 'ok'
const siteUrl = await startTree(60, (_, request, response) => {
  if (siteMode === 'blocking' && request.url !== '/' && request.url !== '/robots.txt')
    return response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Blocked</h1>')
  if (siteMode !== 'slow') return []
  const links = Array.from({ length: 60 }, (_link, number) => `<a href="/${number}">${number}</a>`)
  setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(links.join(' ')), 20_000)
  return response
})

const postgres = await startSinglePostgres(join(folder, 'postgres'))
const alerting = await startAlerting(folder, { speed: 20 })
const [smtpPort, hookPort] = [await findFreePort(), await findFreePort()]
const [serverPort, workerPort] = [await findFreePort(), await findFreePort()]
const commonEnv = {
  DATABASE_URL: postgres.url,
  CLEARWAY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  CLEARWAY_OBJECTS: 'database',
  CLEARWAY_WEB: 'false',
  CLEARWAY_TOKEN_SECONDS: '86400',
}

type Kind = 'server' | 'worker'
const processes: Partial<Record<Kind, Product>> = {}
const logOffsets: Record<Kind, number> = { server: 0, worker: 0 }
async function startServer(): Promise<void> {
  processes.server = await startProduct({
    data: serverFolder,
    port: serverPort,
    env: {
      ...commonEnv,
      CLEARWAY_ROLES: 'api,scheduler,account,idp',
      CLEARWAY_METRICS_PORT: String(alerting.ports.server),
      CLEARWAY_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      ...clock!.env,
    },
  })
  logOffsets.server = 0
}
async function startWorker(env: Record<string, string> = {}): Promise<void> {
  processes.worker = await startProduct({
    data: join(folder, 'worker'),
    port: workerPort,
    env: {
      ...commonEnv,
      CLEARWAY_ROLES: 'worker',
      CLEARWAY_METRICS_PORT: String(alerting.ports.worker),
      CLEARWAY_WORKER_RUNS: '1',
      ...env,
    },
  })
  logOffsets.worker = 0
}

await startServer()
await startWorker()
const token = await fetchToken(processes.server!.url, 'admin', adminPassword)
const client: Client = createCaller(`${processes.server!.url}/monitor-api`, token)
const createScan = async (name: string, body: object = {}): Promise<string> =>
  (await client<{ id: string }>('POST', '/scans', { name, type: 'custom', urls: [siteUrl], depth: null, ...body })).id
const startRun = (id: string) => client('POST', `/scans/${id}/startRun`)
const cancelRun = (id: string) => client('POST', `/scans/${id}/cancel`).catch(() => undefined)

/** One fault: `inject` breaks something, `remedy` does what the runbook says. */
type Drill = {
  /** Alerts that must fire; the first one is the finding. */
  alerts: readonly string[]
  /** Names the cause, in the log, on the health page or in the figures. */
  evidence: RegExp
  /** The remedy, in the section of the runbook. */
  advice: RegExp
  inject: () => Promise<void> | void
  remedy: () => Promise<void> | void
}

const diskReleased = Promise.withResolvers<void>()
const scanIds: string[] = []
/** Starts several small deliveries that fail. */
async function failDeliveries(kind: 'mail' | 'webhook'): Promise<void> {
  const users = Array.from({ length: 5 }, (_, number) => `person${number}@example.org`)
  const id = await createScan(`Fails ${kind}`, {
    pageLimit: 1,
    ...(kind === 'mail' && { notification: { events: ['finished', 'failed'], specificUsers: users } }),
  })
  scanIds.push(id)
  if (kind === 'mail') return void (await startRun(id))
  for (let number = 0; number < 5; number++) {
    const hook = await client<{ id: string }>('POST', `/scans/${id}/webhooks`, { url: `http://127.0.0.1:${hookPort}/${number}` })
    await client('POST', `/scans/${id}/webhooks/${hook.id}/test`)
  }
}
/** Deletes what fails, which is no remedy, but ends the alert without waiting for the retries of an hour. */
const deleteScans = async () => {
  for (const id of scanIds.splice(0)) await client('DELETE', `/scans/${id}`)
}

const drills: Record<string, Drill> = {
  'server gone': {
    alerts: ['ClearwayDown', 'ClearwayUnmeasured'],
    evidence: /server: no answer/,
    advice: /Restart it/,
    inject: () => processes.server!.kill(),
    remedy: startServer,
  },
  'database stopped': {
    alerts: ['ClearwayDatabaseDown'],
    evidence: /ECONNREFUSED|57P01|terminating connection|Connection terminated/,
    advice: /Repair the database/,
    inject: () => postgres.stop(),
    remedy: () => postgres.start(),
  },
  'disk full': {
    alerts: ['ClearwayDiskFull'],
    evidence: /diskSpace DOWN: Less than/,
    advice: /Enlarge the disk|move backups away/,
    inject: () => void fillDisk(serverFolder, () => diskReleased.promise),
    remedy: () => diskReleased.resolve(),
  },
  'no browser': {
    alerts: ['ClearwayNoBrowser'],
    evidence: /no browser starts.*there is no such file/,
    advice: /image|sandbox|CLEARWAY_BROWSER/,
    inject: async () => {
      await processes.worker!.stop()
      await startWorker({ CLEARWAY_BROWSER: '/usr/bin/absent' })
    },
    remedy: async () => {
      await processes.worker!.stop()
      await startWorker()
    },
  },
  'worker killed': {
    alerts: ['ClearwayWorkerSilent', 'ClearwayDown'],
    evidence: /worker: no answer/,
    advice: /Restart it/,
    inject: () => processes.worker!.kill(),
    remedy: () => startWorker(),
  },
  'growing queue': {
    alerts: ['ClearwayQueueOld'],
    evidence: /queue UP: 1 waiting, 1 active/,
    advice: /Add workers/,
    inject: async () => {
      siteMode = 'slow'
      for (const name of ['Slow', 'Waiting']) {
        scanIds.push(await createScan(name))
        await startRun(scanIds.at(-1)!)
        await sleep(3000)
      }
    },
    remedy: async () => {
      siteMode = 'ok'
      for (const id of scanIds) await cancelRun(id)
      await sleep(3000)
      await deleteScans()
    },
  },
  'mail failing': {
    alerts: ['ClearwayMailFails'],
    evidence: /mail DOWN: The mail server cannot be used.*ECONNREFUSED/,
    advice: /CLEARWAY_SMTP_URL/,
    inject: () => failDeliveries('mail'),
    remedy: deleteScans,
  },
  'webhook failing': {
    alerts: ['ClearwayWebhookFails'],
    evidence: /delivery failed.*webhook/,
    advice: /owner of the receiver/,
    inject: () => failDeliveries('webhook'),
    remedy: deleteScans,
  },
  'wrong clock': {
    alerts: ['ClearwayClockWrong'],
    evidence: /clearway_clock_skew_seconds .* 7[12]\d\d/,
    advice: /time synchronization/,
    inject: () => clock.set(2),
    remedy: () => clock.set(0),
  },
  'site blocks': {
    alerts: ['ClearwaySiteBlocks'],
    evidence: /reason=http-403 [2-9]\d/,
    advice: /allow the addresses of the workers/,
    inject: async () => {
      scanIds.push(await createScan('Blocked', { urls: Array.from({ length: 40 }, (_, number) => `${siteUrl}${number}`) }))
      siteMode = 'blocking'
      await startRun(scanIds[0]!)
    },
    remedy: async () => {
      siteMode = 'ok'
      await deleteScans()
    },
  },
}

/** Readiness of both processes, as a load balancer sees it. */
async function readReadiness(): Promise<string[]> {
  const ports = { server: serverPort, worker: workerPort }
  return Promise.all(
    Object.entries(ports).map(async ([kind, port]) => {
      const status = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
        (reply) => reply.status,
        () => 'no answer',
      )
      return `${kind}: ${status}`
    }),
  )
}

type Part = { status: string; message?: string; waitingRuns?: number; activeRuns?: number }
/** Parts of the page System health that are down, and the queue. */
async function readHealthPage(): Promise<string[]> {
  const health = await client<{ details: Record<string, Part | null> }>('GET', '/actuator/health/details').catch(() => null)
  if (health === null) return ['no answer']
  return Object.entries(health.details).flatMap(([name, part]) => {
    if (part?.status === 'DOWN') return [`${name} DOWN: ${part.message}`]
    return name === 'queue' && part ? [`queue ${part.status}: ${part.waitingRuns} waiting, ${part.activeRuns} active`] : []
  })
}

/** Warnings and errors that a process logged since the fault, each once. */
function readLog(kind: Kind): string[] {
  const lines = processes[kind]!.output().slice(logOffsets[kind]).split('\n')
  const messages = lines.flatMap((line) => {
    if (!line.startsWith('{')) return line === '' || line.startsWith('Clearway is ready') ? [] : [line]
    const entry = JSON.parse(line) as Record<string, unknown> & { level: number; msg: string }
    const fields = Object.entries(entry).filter(([field]) => !['level', 'time', 'pid', 'hostname', 'msg'].includes(field))
    return entry.level >= 40 ? [`${entry.msg} ${JSON.stringify(Object.fromEntries(fields))}`] : []
  })
  return [...new Set(messages.map((message) => `${kind}: ${message.slice(0, 300)}`))].slice(-8)
}

/** Figures that sections of the runbook name. */
const figures = [
  'clearway_clock_skew_seconds',
  'sum by (reason) (clearway_page_failures_total) > 0',
  'sum by (kind, result) (clearway_deliveries_total) > 0',
  'clearway_queue_age_seconds > 0',
  'clearway_disk_free_bytes{disk="data"}',
  'up == 0',
]

/** Everything that an operator sees, with the time that each step takes. */
async function lookAround(): Promise<string> {
  const sections: [string, string[]][] = [
    ['readiness', await readReadiness()],
    ['System health', await readHealthPage()],
    ['log', [...readLog('server'), ...readLog('worker')]],
    ['figures', (await Promise.all(figures.map((figure) => alerting.query(figure)))).flat()],
  ]
  return sections.map(([title, lines]) => `   ${title}:\n${lines.map((line) => `      ${line}`).join('\n')}`).join('\n')
}

const waitTimeoutMs = 240_000
async function waitFor<T>(what: string, read: () => Promise<T | null>): Promise<T> {
  for (const startedAt = performance.now(); performance.now() - startedAt < waitTimeoutMs; await sleep(500)) {
    const value = await read()
    if (value !== null) return value
  }
  throw new Error(`Not within ${waitTimeoutMs / 1000} s: ${what}`)
}

const failures: string[] = []
/** Reports what an operator finds by the alerts that fire. @returns what could not be found */
async function find(firing: readonly FiringAlert[], { evidence, advice }: Drill): Promise<string[]> {
  const sections = firing.map((alert) => readRunbook(alert.runbook))
  console.log(`2. The runbook:\n${sections.map((section) => section.replaceAll(/^/gm, '   ')).join('\n')}`)
  const view = await lookAround()
  console.log(`3. What there is to see:\n${view}`)
  return [
    evidence.test(view) ? [] : [`nothing names the cause (${evidence.source})`],
    sections.some((section) => advice.test(section)) ? [] : [`the runbook does not tell the remedy (${advice.source})`],
  ].flat()
}

async function performDrill(title: string, name: string, drill: Drill): Promise<void> {
  for (const kind of ['server', 'worker'] as const) logOffsets[kind] = processes[kind]!.output().length
  const startedAt = performance.now()
  const getSeconds = () => Math.round((performance.now() - startedAt) / 1000)
  console.log(`\n== ${title}`)
  try {
    await drill.inject()
    const firing = await waitFor(`${drill.alerts.join(' and ')} firing`, async () => {
      const current = await alerting.listFiring()
      return drill.alerts.every((alert) => current.some((one) => one.name === alert)) ? current : null
    })
    console.log(`1. Alerts after ${getSeconds()} s: ${firing.map((alert) => `${alert.name} (${alert.summary})`).join('; ')}`)
    const problems = await find(firing, drill)
    const result = problems.length === 0 ? 'Found' : `NOT FOUND (${problems.join('; ')})`
    if (!isBlind) console.log(`4. ${result} after ${getSeconds()} s: ${name}`)
    failures.push(...problems.map((problem) => `${name}: ${problem}`))
  } finally {
    await drill.remedy()
  }
  await waitFor('the end of the alerts', async () => ((await alerting.listFiring()).length === 0 ? true : null))
  console.log(`5. Remedied, and no alert any more after ${getSeconds()} s`)
}

try {
  const chosen = Object.entries(drills).filter(([name]) => wantedFaults.length === 0 || wantedFaults.includes(name))
  for (const [index, [name, drill]] of chosen.entries())
    await performDrill(isBlind ? `fault ${index + 1}` : name, name, drill).catch((error: unknown) => {
      failures.push(`${name}: ${String(error)}`)
      console.log(`${name} FAILED: ${String(error)}`)
    })
  console.log(failures.length === 0 ? `\n${chosen.length} of ${chosen.length} faults found` : `\nFAILED:\n${failures.join('\n')}`)
} finally {
  for (const kind of ['worker', 'server'] as const) await processes[kind]?.kill().catch(() => undefined)
  alerting.stop()
  postgres.stop()
  execFileSync('umount', ['-l', serverFolder])
  rmSync(folder, { recursive: true, force: true })
}
process.exit(failures.length === 0 ? 0 : 1)
