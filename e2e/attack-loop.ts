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
import { callerOf, tokenFor } from './product/client.ts'
import { parentIn, processesWhere } from './product/processes.ts'
import { adminPassword, freePort, startProduct } from './product/start.ts'
import { all, type PageRow, runEnded } from './product/results.ts'

/**
 * All that is known to have stopped the product, so many times each, on the running product: hostile pages, answers and PDFs, each
 * many times in a scan of its own, then what people may send to the API, and exports that nobody reads. Beside it a person works,
 * and what that person waited for is printed by attack. Each run must end as completed, with one reason for each page that
 * was named, each attack must have been met so often, and no process may be lost.
 *
 *   node scripts/node24.mjs e2e/attack-loop.ts [TIMES] [--only 'REGULAR EXPRESSION OF NAMES'] [--pages AT ONCE]
 */
const { values, positionals } = parseArgs({
  options: { only: { type: 'string' }, pages: { type: 'string' } },
  allowPositionals: true,
})
const times = Number(positionals[0] ?? 1)
const wanted = new RegExp(values.only ?? '')
/** Pages of a scan at once: as many as a worker takes by itself, or more of those that do nothing but let it wait. */
const atOnce = Number(values.pages ?? (readConfig({}) as Config).CLEARWAY_WORKER_PAGES)
const waitingAtOnce = Math.max(8, atOnce)
const data = mkdtempSync(join(tmpdir(), 'clearway-attack-'))
const site = await openAttackSite()
const product = await startProduct({
  data,
  port: await freePort(),
  // One sign-in for all.
  env: { CLEARWAY_TOKEN_SECONDS: '86400', CLEARWAY_WORKER_PAGES: String(waitingAtOnce) },
})
const token = await tokenFor(product.url, 'admin', adminPassword)
const client = callerOf(`${product.url}/monitor-api`, token)
const person = fork(join(import.meta.dirname, 'attack/person.ts'), { detached: true })
const sendPerson = (message: ToPerson) => person.send(message)
const died = once(person, 'exit').then(() => Promise.reject(new Error('The person died')))
// In the end it does so because it is no longer needed.
died.catch(() => undefined)
const waited: Waited[] = []
const refused: string[] = []
/** Tells the person what goes on from now, and learns what was waited for before. */
async function goesOn(what: string): Promise<void> {
  sendPerson({ kind: 'during', what })
  const [until] = (await Promise.race([once(person, 'message'), died])) as [FromPerson]
  waited.push(...until.waited)
  refused.push(...until.refused)
}

const settings = (name: string, url: string, pageTimeoutMs = 10_000, pagesAtOnce = atOnce) => ({
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
    // Every page of a run fails where that is the attack.
    stopAfterFailures: null,
  },
})

type Done = { met: number; became: string }
const lines: string[] = []
/** Does something while the person is told what; its line in the table. */
async function during(attack: string, work: () => Promise<Done>): Promise<void> {
  if (!wanted.test(attack)) return
  await goesOn(attack)
  const began = performance.now()
  const done = await work()
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  await goesOn('nothing')
  const { calls, ...ms } = summaryOf(waited.filter((one) => one.during === attack))
  const person = `${calls} calls, ${Object.entries(ms)
    .map((entry) => entry.join(' '))
    .join(', ')}`
  console.log(
    `${seconds} s  ${attack}: ${done.met} times, ${done.became}; ${person}; load ${loadavg()[0]!.toFixed(1)}`,
  )
  lines.push(attack)
}
const counted = (words: readonly string[]): string =>
  Object.entries(Object.groupBy(words, (word) => word))
    .map(([word, same]) => `${same!.length} ${word}`)
    .join(', ')

const copiesOf = (attack: SiteAttack): number => Math.ceil(times / attack.tries)
/** A run that meets an attack. @returns what became of its pages */
async function attackRun(attack: SiteAttack, id: string): Promise<string[]> {
  await client('POST', `/scans/${id}/startRun`)
  const run = await runEnded(client, id, 3_600_000)
  assert.equal(run.status, 'completed', `${attack.name}: ${run.problem}`)
  const pages = await all<PageRow>(client, `/scans/${id}/runs/${run.number}/pages`)
  const became = new Map(
    pages.map((page) => [
      page.url,
      [page.status, page.failure ?? page.exclusion].filter((word) => word).join(' '),
    ]),
  )
  assert.equal(became.size, pages.length, 'no page is there twice')
  const fates = Array.from({ length: copiesOf(attack) }, (_, n) => became.get(attack.urlOf(n)) ?? 'lost')
  assert.ok(!fates.includes('lost'), `${attack.name}: ${fates.filter((fate) => fate === 'lost').length} lost`)
  return fates
}
/** Runs until an attack was met so often: pages that are tried again meet it more than once. */
async function attackOften(attack: SiteAttack, id: string): Promise<Done> {
  const before = attack.met()
  const fates: string[] = []
  while (attack.met() - before < times) {
    const met = attack.met()
    fates.push(...(await attackRun(attack, id)))
    assert.ok(attack.met() > met, `${attack.name} was not met`)
  }
  const odd = fates.filter((fate) => attack.fate !== null && !attack.fate.split(' or ').includes(fate)).length
  return {
    met: attack.met() - before,
    became: counted(fates) + (odd > 0 ? ` (${odd} otherwise than on a quiet machine)` : ''),
  }
}

/** What somebody sends, so often, two at once; being refused is fine. */
const send = (attack: string, method: string, path: string, body: () => unknown) =>
  during(attack, async () => {
    const became: string[] = []
    let begun = 0
    const sender = async () => {
      while (begun++ < times)
        await client(method, path, body()).then(
          () => became.push('taken'),
          (error: unknown) =>
            became.push(/: (\d{3}) /.exec(String(error))?.[1] ?? String(error).slice(0, 80)),
        )
    }
    await Promise.all([sender(), sender()])
    const failed = became.filter((status) => !/^(taken|4\d\d)$/.test(status))
    assert.deepEqual(failed, [], `${attack}: every call is to be taken or refused`)
    return { met: became.length, became: counted(became) }
  })

async function attackApi(scan: string): Promise<void> {
  const script = { script: '\n'.repeat(1_000_000), allowedScriptType: 'TASK' }
  await send('a script of newlines', 'POST', '/scripts/validate', () => script)
  const slowRule = { kind: 'regex', pattern: `${'(\\w?){1000}'.repeat(3)}\\d$` }
  const rules = {
    settings: {
      ...settings('x', 'http://127.0.0.1/'),
      includeRules: Array.from({ length: 20 }, () => slowRule),
    },
    url: `http://127.0.0.1/${'a'.repeat(3900)}`,
  }
  await send('rules that are slow', 'POST', '/scans/scope-test', () => rules)
  const content = `team,scan,scan group,role\n${','.repeat(900_000)}`
  const csv = { filename: 'x.csv', content, check: true }
  await send('a CSV file of commas', 'POST', '/team-access/import', () => csv)

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
  await send('results whose targets are spaces', 'POST', `/scans/${scan}/runs/1/axeIssues`, () => {
    const form = new FormData()
    form.set('file', file)
    return form
  })
}

/** Exports that nobody reads, ten at once, for two seconds each. */
const leaveExports = (scan: string) =>
  during('exports that nobody reads', async () => {
    const headers = {
      authorization: `Bearer ${token}`,
      'x-realm': 'clearway',
      'content-type': 'application/json',
    }
    const became: string[] = []
    const leave = async () => {
      const asked = request(`${product.url}/monitor-api/bulk/issues/export/json`, { method: 'POST', headers })
      asked.on('error', () => undefined)
      asked.on('response', (reply) => {
        became.push(String(reply.statusCode))
        reply.pause()
      })
      asked.end(JSON.stringify({ filters: { scanId: [scan] }, selected: { selectAllMode: true } }))
      await pause(2000)
      asked.destroy()
    }
    for (let left = times; left > 0; left -= 10)
      await Promise.all(Array.from({ length: Math.min(10, left) }, leave))
    return { met: times, became: `answered ${counted(became)}` }
  })

/**
 * What does a stranger's work: renderers and PDF processes. The browser's own process is none of them: where it runs as root, it
 * raises its main thread before all others.
 */
function strangersWork(worker: number): number[] {
  const parents = new Map<number, number>()
  const own = (pid: number | undefined): boolean => pid === worker || (!!pid && own(parents.get(pid)))
  const wanted: number[] = []
  processesWhere((of) => {
    const pid = Number.parseInt(of('stat'))
    const parent = parentIn(of('status'))
    parents.set(pid, parent)
    const started = of('cmdline')
    if (started.includes('--type=renderer') || (parent === worker && !started.includes('--headless')))
      wanted.push(pid)
    return false
  })
  return wanted.filter((pid) => own(pid))
}
/** Linux may divide the processors among sessions first: within one, nice values of processes count. */
function sessionGroup(pid: number): { name: string; nice: number } {
  const path = `/proc/${pid}/autogroup`
  const [, name, nice] = (existsSync(path) && /^(\S+) nice (-?\d+)/.exec(readFileSync(path, 'utf8'))) || []
  return { name: name ?? '', nice: Number(nice ?? 0) }
}
/** Looks twice a second whether each of them stands back behind the server. @returns ends it, with how many were seen */
function watchPriorities(): () => number {
  const child = (kind: string) =>
    processesWhere(
      (of) =>
        of('cmdline').includes(`process/child.js ${kind}`) && of('environ').includes(`CLEARWAY_DATA=${data}`),
    )[0]
  const [server, worker] = [child('server'), child('worker')]
  assert.ok(server !== undefined && worker !== undefined, 'server and worker were not found')
  const seen = new Set<number>()
  /** Once may be a process that has only just begun. */
  const ahead = { once: new Set<number>(), twice: new Set<number>() }
  const timer = setInterval(() => {
    for (const pid of strangersWork(worker))
      try {
        const [group, mine] = [sessionGroup(pid), sessionGroup(server)]
        const isBehind =
          group.name === mine.name ? getPriority(pid) > getPriority(server) : group.nice > mine.nice
        seen.add(pid)
        if (isBehind) ahead.once.delete(pid)
        else if (ahead.once.has(pid)) ahead.twice.add(pid)
        else ahead.once.add(pid)
      } catch {
        // It ended meanwhile.
      }
  }, 500).unref()
  return () => {
    clearInterval(timer)
    assert.deepEqual([...ahead.twice], [], 'these processes did not stand back')
    assert.ok(seen.size > 0, 'no renderer was seen')
    return seen.size
  }
}

const at = (sorted: readonly number[], share: number) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)
function summaryOf(ones: readonly Waited[]) {
  const sorted = ones.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return {
    calls: sorted.length,
    'p50 ms': at(sorted, 0.5),
    'p99 ms': at(sorted, 0.99),
    'longest ms': at(sorted, 1),
  }
}

try {
  const quotas = await client<object>('GET', '/system-settings/quotas')
  await client('PUT', '/system-settings/quotas', { ...quotas, uploads: 100_000 })
  const first = site.attacks.find(({ name }) => name === '/after')!
  const make = async (attack: SiteAttack) => {
    const start = attack.startOf(copiesOf(attack))
    const urls = Array.from({ length: copiesOf(attack) }, (_, n) => attack.urlOf(n))
    const hosts = [start, ...urls].map((url) => new URL(url).host)
    const pagesAtOnce = attack.onlyWaits ? waitingAtOnce : atOnce
    const body = settings(`Attacked by ${attack.name}`, start, attack.pageTimeoutMs, pagesAtOnce)
    return (await client<{ id: string }>('POST', '/scans', { ...body, domains: [...new Set(hosts)] })).id
  }
  console.log(`the product is ready, load ${loadavg()[0]!.toFixed(1)}`)
  // What the person looks at, and results are sent to.
  const seen = await make({ ...first, name: 'nobody' })
  await client('POST', `/scans/${seen}/startRun`)
  await runEnded(client, seen, 600_000)
  console.log('the person begins')
  const began = performance.now()
  sendPerson({ kind: 'begin', url: product.url, token, scan: seen })
  const bySite = site.attacks.filter(({ name }) => wanted.test(name))
  if (bySite.length > 0) {
    const priorities = watchPriorities()
    for (const attack of bySite)
      await during(attack.name, async () => attackOften(attack, await make(attack)))
    console.log(`${priorities()} renderers and PDF processes stood back behind the server`)
  }
  await attackApi(seen)
  await leaveExports(seen)
  await goesOn('nothing')
  const byCall = Object.entries(Object.groupBy(waited, ({ call }) => call)).map(
    ([call, ones]) => [call, summaryOf(ones!)] as const,
  )
  console.table({ ...Object.fromEntries(byCall), 'all calls': summaryOf(waited) })
  assert.ok(lines.length > 0, 'nothing was attacked')
  console.log(
    `${lines.length} attacks, ${times} times each, after ${Math.round((performance.now() - began) / 1000)} s`,
  )
  assert.deepEqual(refused, [], 'every call of the person was to be answered')
  const lost = product
    .output()
    .split('\n')
    .filter((line) => line.includes('ended after'))
  assert.deepEqual(lost, [], 'no process was to end')
} finally {
  // Whatever went wrong, nothing is left behind.
  if (person.connected) person.disconnect()
  await product.stop()
  site.close()
  rmSync(data, { recursive: true, force: true })
}
