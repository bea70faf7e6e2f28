/**
 * Cost of an idle installation on one machine: CPU and memory by process, of a fresh one, or after a run. It starts the product
 * on an empty data folder, without npm, as the systemd unit does, waits until it has settled, and reads /proc.
 *
 *   npm run idle                   [--settle 120] [--seconds 300] [--after-run]
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { signIn } from '../../e2e/product/client.ts'
import { findProcesses, parseParentId } from '../../e2e/product/processes.ts'
import { buildFixtureScan, waitForRunEnd } from '../../e2e/product/results.ts'
import { adminPassword, findFreePort, startProduct } from '../../e2e/product/start.ts'
import { startSite } from '../../fixtures/site/serve.ts'

const { values: options } = parseArgs({
  options: {
    settle: { type: 'string', default: '120' },
    seconds: { type: 'string', default: '300' },
    'after-run': { type: 'boolean', default: false },
  },
})
const seconds = Number(options.seconds)
/** Four times CLEARWAY_WORKER_IDLE_SECONDS, and a minute. */
const maxReplacementMs = 17 * 60_000
/** Unit of CPU times in /proc. */
const ticksPerSecond = 100

type ProcessGroup = 'supervisor' | 'server' | 'worker' | 'browser' | 'PostgreSQL'
type Figures = { processes: number; cpuSeconds: number; pssMegabytes: number; privateMegabytes: number }

const readProcessFile = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-idle-'))
chmodSync(dataFolder, 0o755)
const port = await findFreePort()
// With figures, as an operator has it.
const product = await startProduct({ data: dataFolder, port, env: { CLEARWAY_METRICS_PORT: String(await findFreePort()) } })

/** Processes of the product by their group. PostgreSQL leads a group of its own, so that Ctrl-C does not reach it. */
function listProcesses(): { pid: number; group: ProcessGroup }[] {
  const postmaster = Number(readFileSync(join(dataFolder, 'database/cluster/postmaster.pid'), 'utf8').split('\n')[0])
  const isOurs = (pid: number): boolean => readProcessFile(pid, 'environ').includes(`CLEARWAY_DATA=${dataFolder} `)
  return findProcesses(() => true).flatMap((pid) => {
    const command = readProcessFile(pid, 'cmdline')
    const parentId = parseParentId(readProcessFile(pid, 'status'))
    if (pid === postmaster || parentId === postmaster) return [{ pid, group: 'PostgreSQL' as const }]
    if (command.includes(dataFolder) || /chrom|headless/i.test(command.split(' ')[0]!)) {
      // A browser does not inherit the settings; its ancestors tell whose it is.
      let ancestor = pid
      while (ancestor > 1 && !isOurs(ancestor)) ancestor = parseParentId(readProcessFile(ancestor, 'status'))
      return ancestor > 1 ? [{ pid, group: 'browser' as const }] : []
    }
    if (!isOurs(pid)) return []
    if (command.includes('child.js server')) return [{ pid, group: 'server' as const }]
    if (command.includes('child.js worker')) return [{ pid, group: 'worker' as const }]
    return command.includes('main.js') ? [{ pid, group: 'supervisor' as const }] : []
  })
}

/** CPU of a process and of its children that have ended, in seconds. */
function readCpuSeconds(pid: number): number {
  const stat = readProcessFile(pid, 'stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0) / ticksPerSecond
}

/** A value of the sums over all mappings, in MB. */
function readMegabytes(pid: number, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readProcessFile(pid, 'smaps_rollup'))?.[1]
  return Number(kilobytes ?? 0) / 1000
}

try {
  if (options['after-run']) {
    const site = await startSite()
    const client = await signIn(product.url, 'admin', adminPassword)
    const { id } = await client<{ id: string }>('POST', '/scans', { ...buildFixtureScan('Idle', site.url), pageLimit: 60 })
    await client('POST', `/scans/${id}/startRun`)
    const { status } = await waitForRunEnd(client, id, 600_000)
    if (status !== 'completed') throw new Error(`The run is ${status}: an idle machine after it says nothing`)
    await site.close()
    // A worker that has worked is replaced by a fresh one.
    const findWorker = () => listProcesses().find(({ group }) => group === 'worker')?.pid
    const firstWorker = findWorker()
    for (const until = Date.now() + maxReplacementMs; findWorker() === firstWorker; await sleep(1000))
      if (Date.now() > until) throw new Error('The worker was not replaced')
  }
  await sleep(Number(options.settle) * 1000)
  const firstCpu = new Map(listProcesses().map(({ pid }) => [pid, readCpuSeconds(pid)]))
  await sleep(seconds * 1000)
  const figures: Partial<Record<ProcessGroup, Figures>> = {}
  for (const { pid, group } of listProcesses()) {
    const groupFigures = (figures[group] ??= { processes: 0, cpuSeconds: 0, pssMegabytes: 0, privateMegabytes: 0 })
    groupFigures.processes += 1
    groupFigures.cpuSeconds += readCpuSeconds(pid) - (firstCpu.get(pid) ?? 0)
    groupFigures.pssMegabytes += readMegabytes(pid, 'Pss')
    groupFigures.privateMegabytes += readMegabytes(pid, 'Pss_Anon')
  }
  const sum = (name: keyof Figures) => Object.values(figures).reduce((total, group) => total + group[name], 0)
  const round = (group: Figures) =>
    Object.fromEntries(Object.entries(group).map(([name, value]) => [name, Math.round(value * 100) / 100]))
  console.table(Object.fromEntries(Object.entries(figures).map(([name, group]) => [name, round(group)])))
  console.log(
    `${sum('cpuSeconds').toFixed(2)} s of CPU in ${seconds} s: ${((sum('cpuSeconds') / seconds) * 100).toFixed(2)} % of a core; ` +
      `${sum('pssMegabytes').toFixed(0)} MB (PSS of all processes)`,
  )
} finally {
  await product.stop()
  rmSync(dataFolder, { recursive: true, force: true })
}
