import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { getPriority, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../packages/server/src/config.ts'
import type { FromPerson, ToPerson, Waited } from './attack/person.ts'
import { openAttackSite, type SiteAttack } from './attack/site.ts'
import { createCaller, fetchToken } from './product/client.ts'
import { parseParentId, findProcesses } from './product/processes.ts'
import { adminPassword, findFreePort, startProduct } from './product/start.ts'
import { fetchAllRows, type PageRow, waitForRunEnd } from './product/results.ts'

/**
 * Runs every attack that once stopped the product, repeatedly, on the running product: hostile pages, responses and PDFs,
 * each in a separate scan, then hostile API input, and exports that are never read. A simulated user works at the same time;
 * that user's waiting times are printed by attack. Each run must complete, with one reason for each named page, each attack
 * must be met the given number of times, and no process may be lost.
 *
 *   node scripts/node24.mjs e2e/attack-loop.ts [TIMES] [--only 'REGULAR EXPRESSION OF NAMES'] [--pages AT ONCE]
 */
const { values: options, positionals } = parseArgs({
  options: { only: { type: 'string' }, pages: { type: 'string' } },
  allowPositionals: true,
})
const times = Number(positionals[0] ?? 1)
const attackPattern = new RegExp(options.only ?? '')
/** Concurrent pages of a scan: the worker's default, or more for attacks that only wait. */
const concurrentPages = Number(options.pages ?? (readConfig({}) as Config).CLEARWAY_WORKER_PAGES)
const concurrentWaitingPages = Math.max(8, concurrentPages)
const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-attack-'))
const site = await openAttackSite()
const product = await startProduct({
  data: dataFolder,
  port: await findFreePort(),
  // A single sign-in lasts for the whole loop.
  env: { CLEARWAY_TOKEN_SECONDS: '86400', CLEARWAY_WORKER_PAGES: String(concurrentWaitingPages) },
})
const token = await fetchToken(product.url, 'admin', adminPassword)
const client = createCaller(`${product.url}/monitor-api`, token)
const personProcess = fork(join(import.meta.dirname, 'attack/person.ts'), { detached: true })
const sendToPerson = (message: ToPerson) => personProcess.send(message)
const personDied = once(personProcess, 'exit').then(() => Promise.reject(new Error('The person died')))
// The planned exit at the end must not reject.
personDied.catch(() => undefined)
const waited: Waited[] = []
const refused: string[] = []
/** Tells the user process which attack starts, and collects its measurements so far. */
async function announceAttack(attackName: string): Promise<void> {
  sendToPerson({ kind: 'during', what: attackName })
  const [report] = (await Promise.race([once(personProcess, 'message'), personDied])) as [FromPerson]
  waited.push(...report.waited)
  refused.push(...report.refused)
}

const buildSettings = (name: string, url: string, pageTimeoutMs = 10_000, pagesAtOnce = concurrentPages) => ({
  name,
  urls: [url],
  type: 'custom',
  depth: 1,
  pageLimit: 2000,
  advanced: {
    pageTimeoutMs,
    savePictures: false,
    mimeTypes: ['text/html', 'application/pdf'],
    pagesAtOnce,
    // For some attacks every page of a run fails.
    stopAfterFailures: null,
  },
})

type AttackResult = { met: number; became: string }
const tableLines: string[] = []
/** Performs an attack and measures the user's waiting times; adds its line to the table. */
async function measureAttack(attack: string, work: () => Promise<AttackResult>): Promise<void> {
  if (!attackPattern.test(attack)) return
  await announceAttack(attack)
  const began = performance.now()
  const result = await work()
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  await announceAttack('nothing')
  const { calls: callCount, ...ms } = summarize(waited.filter((one) => one.during === attack))
  const personSummary = `${callCount} calls, ${Object.entries(ms)
    .map((entry) => entry.join(' '))
    .join(', ')}`
  console.log(
    `${seconds} s  ${attack}: ${result.met} times, ${result.became}; ${personSummary}; load ${loadavg()[0]!.toFixed(1)}`,
  )
  tableLines.push(attack)
}
const countOutcomes = (outcomes: readonly string[]): string =>
  Object.entries(Object.groupBy(outcomes, (word) => word))
    .map(([outcome, occurrences]) => `${occurrences!.length} ${outcome}`)
    .join(', ')

const countCopies = (attack: SiteAttack): number => Math.ceil(times / attack.tries)
/** Runs a scan that meets an attack. @returns the outcomes of its pages */
async function runAttackScan(attack: SiteAttack, id: string): Promise<string[]> {
  await client('POST', `/scans/${id}/startRun`)
  const run = await waitForRunEnd(client, id, 3_600_000)
  assert.equal(run.status, 'completed', `${attack.name}: ${run.problem}`)
  const pages = await fetchAllRows<PageRow>(client, `/scans/${id}/runs/${run.number}/pages`)
  const became = new Map(
    pages.map((page) => [page.url, [page.status, page.failure ?? page.exclusion].filter((word) => word).join(' ')]),
  )
  assert.equal(became.size, pages.length, 'no page is duplicated')
  const fates = Array.from({ length: countCopies(attack) }, (_, n) => became.get(attack.urlOf(n)) ?? 'lost')
  assert.ok(!fates.includes('lost'), `${attack.name}: ${fates.filter((fate) => fate === 'lost').length} lost`)
  return fates
}
/** Repeats runs until the attack was met the given number of times: retried pages meet it more than once. */
async function repeatAttack(attack: SiteAttack, id: string): Promise<AttackResult> {
  const previousCount = attack.met()
  const fates: string[] = []
  while (attack.met() - previousCount < times) {
    const met = attack.met()
    fates.push(...(await runAttackScan(attack, id)))
    assert.ok(attack.met() > met, `${attack.name} was not met`)
  }
  const odd = fates.filter((fate) => attack.fate !== null && !attack.fate.split(' or ').includes(fate)).length
  return {
    met: attack.met() - previousCount,
    became: countOutcomes(fates) + (odd > 0 ? ` (${odd} otherwise than on a quiet machine)` : ''),
  }
}

/** Sends hostile input the given number of times, two at once; a refusal is fine. */
const sendRepeatedly = (attack: string, method: string, path: string, body: () => unknown) =>
  measureAttack(attack, async () => {
    const became: string[] = []
    let begun = 0
    const sendSome = async () => {
      while (begun++ < times)
        await client(method, path, body()).then(
          () => became.push('taken'),
          (error: unknown) => became.push(/: (\d{3}) /.exec(String(error))?.[1] ?? String(error).slice(0, 80)),
        )
    }
    await Promise.all([sendSome(), sendSome()])
    const failedStatuses = became.filter((status) => !/^(taken|4\d\d)$/.test(status))
    assert.deepEqual(failedStatuses, [], `${attack}: every call is to be taken or refused`)
    return { met: became.length, became: countOutcomes(became) }
  })

async function attackApi(scan: string): Promise<void> {
  const script = { script: '\n'.repeat(1_000_000), allowedScriptType: 'TASK' }
  await sendRepeatedly('a script of newlines', 'POST', '/scripts/validate', () => script)
  const slowRule = { kind: 'regex', pattern: `${'(\\w?){1000}'.repeat(3)}\\d$` }
  const rules = {
    settings: {
      ...buildSettings('x', 'http://127.0.0.1/'),
      includeRules: Array.from({ length: 20 }, () => slowRule),
    },
    url: `http://127.0.0.1/${'a'.repeat(3900)}`,
  }
  await sendRepeatedly('rules that are slow', 'POST', '/scans/scope-test', () => rules)
  const content = `team,scan,scan group,role\n${','.repeat(900_000)}`
  const csv = { filename: 'x.csv', content, check: true }
  await sendRepeatedly('a CSV file of commas', 'POST', '/team-access/import', () => csv)

  const node = { html: '<a>', target: [' '.repeat(20_000)], any: [], all: [], none: [], impact: 'minor' }
  const violation = {
    id: 'image-alt',
    impact: 'minor',
    tags: ['wcag2a'],
    help: 'x',
    helpUrl: 'http://a.test/',
    description: 'x',
    nodes: Array.from({ length: 100 }, () => node),
  }
  const results = {
    url: 'http://127.0.0.1/uploaded',
    testEngine: { name: 'axe-core', version: '4.14.1' },
    violations: [violation],
    passes: [],
    incomplete: [],
    inapplicable: [],
  }
  const file = new File([JSON.stringify(results)], 'x.json', { type: 'application/json' })
  await sendRepeatedly('results whose targets are spaces', 'POST', `/scans/${scan}/runs/1/axeIssues`, () => {
    const form = new FormData()
    form.set('file', file)
    return form
  })
}

/** Exports that are never read, ten at once, for two seconds each. */
const abandonExports = (scan: string) =>
  measureAttack('exports that are never read', async () => {
    const headers = {
      authorization: `Bearer ${token}`,
      'x-realm': 'clearway',
      'content-type': 'application/json',
    }
    const became: string[] = []
    const abandonExport = async () => {
      const exportRequest = request(`${product.url}/monitor-api/bulk/issues/export/json`, { method: 'POST', headers })
      exportRequest.on('error', () => undefined)
      exportRequest.on('response', (reply) => {
        became.push(String(reply.statusCode))
        reply.pause()
      })
      exportRequest.end(JSON.stringify({ filters: { scanId: [scan] }, selected: { selectAllMode: true } }))
      await pause(2000)
      exportRequest.destroy()
    }
    for (let remainingCount = times; remainingCount > 0; remainingCount -= 10)
      await Promise.all(Array.from({ length: Math.min(10, remainingCount) }, abandonExport))
    return { met: times, became: `answered ${countOutcomes(became)}` }
  })

/**
 * Processes that handle content of strangers: renderers and PDF processes. The browser's main process does not count: as
 * root it raises the priority of its main thread above all others.
 */
function listUntrustedProcesses(worker: number): number[] {
  const parents = new Map<number, number>()
  const isDescendant = (pid: number | undefined): boolean => pid === worker || (!!pid && isDescendant(parents.get(pid)))
  const untrustedPids: number[] = []
  findProcesses((of) => {
    const pid = Number.parseInt(of('stat'))
    const parent = parseParentId(of('status'))
    parents.set(pid, parent)
    const commandLine = of('cmdline')
    if (commandLine.includes('--type=renderer') || (parent === worker && !commandLine.includes('--headless')))
      untrustedPids.push(pid)
    return false
  })
  return untrustedPids.filter((pid) => isDescendant(pid))
}
/** Linux may divide the processors among sessions first; nice values count only within one. */
function readSessionGroup(pid: number): { name: string; nice: number } {
  const path = `/proc/${pid}/autogroup`
  const [, name, nice] = (existsSync(path) && /^(\S+) nice (-?\d+)/.exec(readFileSync(path, 'utf8'))) || []
  return { name: name ?? '', nice: Number(nice ?? 0) }
}
/**
 * Checks twice a second that each of them has a lower priority than the server. @returns a function that stops and returns
 * the number of processes
 */
function watchPriorities(): () => number {
  const findChild = (kind: string) =>
    findProcesses(
      (of) => of('cmdline').includes(`process/child.js ${kind}`) && of('environ').includes(`CLEARWAY_DATA=${dataFolder}`),
    )[0]
  const [server, worker] = [findChild('server'), findChild('worker')]
  assert.ok(server !== undefined && worker !== undefined, 'server and worker were not found')
  const seenPids = new Set<number>()
  /** A single observation may be a process that has only just started. */
  const pidsAhead = { once: new Set<number>(), twice: new Set<number>() }
  const timer = setInterval(() => {
    for (const pid of listUntrustedProcesses(worker))
      try {
        const [group, mine] = [readSessionGroup(pid), readSessionGroup(server)]
        const isBehind = group.name === mine.name ? getPriority(pid) > getPriority(server) : group.nice > mine.nice
        seenPids.add(pid)
        if (isBehind) pidsAhead.once.delete(pid)
        else if (pidsAhead.once.has(pid)) pidsAhead.twice.add(pid)
        else pidsAhead.once.add(pid)
      } catch {
        // It has ended in the meantime.
      }
  }, 500).unref()
  return () => {
    clearInterval(timer)
    assert.deepEqual([...pidsAhead.twice], [], 'these processes had too high a priority')
    assert.ok(seenPids.size > 0, 'no renderer was seen')
    return seenPids.size
  }
}

const formatPercentile = (sorted: readonly number[], fraction: number) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0).toFixed(0)
function summarize(measurements: readonly Waited[]) {
  const sorted = measurements.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return {
    calls: sorted.length,
    'p50 ms': formatPercentile(sorted, 0.5),
    'p99 ms': formatPercentile(sorted, 0.99),
    'longest ms': formatPercentile(sorted, 1),
  }
}

try {
  const quotas = await client<object>('GET', '/system-settings/quotas')
  await client('PUT', '/system-settings/quotas', { ...quotas, uploads: 100_000 })
  const afterAttack = site.attacks.find(({ name }) => name === '/after')!
  const createScan = async (attack: SiteAttack) => {
    const start = attack.startOf(countCopies(attack))
    const urls = Array.from({ length: countCopies(attack) }, (_, n) => attack.urlOf(n))
    const hosts = [start, ...urls].map((url) => new URL(url).host)
    const pagesAtOnce = attack.onlyWaits ? concurrentWaitingPages : concurrentPages
    const body = buildSettings(`Attacked by ${attack.name}`, start, attack.pageTimeoutMs, pagesAtOnce)
    return (await client<{ id: string }>('POST', '/scans', { ...body, domains: [...new Set(hosts)] })).id
  }
  console.log(`the product is ready, load ${loadavg()[0]!.toFixed(1)}`)
  // Scan that the user reads and that results are sent to.
  const viewedScan = await createScan({ ...afterAttack, name: 'nobody' })
  await client('POST', `/scans/${viewedScan}/startRun`)
  await waitForRunEnd(client, viewedScan, 600_000)
  console.log('the person begins')
  const began = performance.now()
  sendToPerson({ kind: 'begin', url: product.url, token, scan: viewedScan })
  const bySite = site.attacks.filter(({ name }) => attackPattern.test(name))
  if (bySite.length > 0) {
    const priorities = watchPriorities()
    for (const attack of bySite) await measureAttack(attack.name, async () => repeatAttack(attack, await createScan(attack)))
    console.log(`${priorities()} renderers and PDF processes stood back behind the server`)
  }
  await attackApi(viewedScan)
  await abandonExports(viewedScan)
  await announceAttack('nothing')
  const byCall = Object.entries(Object.groupBy(waited, ({ call }) => call)).map(
    ([call, ones]) => [call, summarize(ones!)] as const,
  )
  console.table({ ...Object.fromEntries(byCall), 'all calls': summarize(waited) })
  assert.ok(tableLines.length > 0, 'nothing was attacked')
  console.log(`${tableLines.length} attacks, ${times} times each, after ${Math.round((performance.now() - began) / 1000)} s`)
  assert.deepEqual(refused, [], 'every call of the person was to be answered')
  const endedProcesses = product
    .output()
    .split('\n')
    .filter((line) => line.includes('ended after'))
  assert.deepEqual(endedProcesses, [], 'no process was to end')
} finally {
  // On any failure nothing is left running.
  if (personProcess.connected) personProcess.disconnect()
  await product.stop()
  site.close()
  rmSync(dataFolder, { recursive: true, force: true })
}
