import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'

/** An application with an administrator, installed into a folder of its own. */
export type Application = {
  name: string
  /** Installs it with its data; does nothing if that was done. */
  install: (folder: string) => Promise<void>
  /** Starts its processes, the web server last. */
  start: (folder: string, port: number) => ChildProcess[] | Promise<ChildProcess[]>
  /** Paths below its origin. */
  startPath: string
  signInPath: string
  user: string
  /** Settings of the scan that a person chooses for it. */
  settings?: (origin: string) => object
  /** Pages at the same time; the command line's default without it. */
  concurrency?: number
  /** Fields of its sign-in page, for the comparison with AxeBuilder. */
  fields: { user: string | null; password: string; submit: string }
  /** Rows of its database or files by table, as text. */
  dump: (folder: string) => Dump | Promise<Dump>
  /** Rows that a sign-in writes, or merely opening a page. All other changes are faults of the crawl. */
  openingWrites: readonly OpeningWrite[]
}

/** `row` matches the text of a row; without it, all rows of the table. */
export type OpeningWrite = { table: RegExp; row?: RegExp; reason: string }

/** Rows by table. A row is its text, so that each change of it counts. */
export type Dump = ReadonlyMap<string, readonly string[]>

export const password = 'Bench-S3cret!7'

const toGlobs = (patterns: readonly string[]) => patterns.map((pattern) => ({ kind: 'glob', pattern }))
/** Settings of a scan that leaves out URLs. */
export const leaveOut = (...patterns: readonly string[]) => ({ excludeRules: toGlobs(patterns) })
/** Settings of a scan that takes only some URLs. */
export const takeOnly = (...patterns: readonly string[]) => ({ includeRules: toGlobs(patterns) })

const runFile = promisify(execFile)

/** Runs a program of an installation. @throws with its output if it fails */
export const run = async (program: string, args: readonly string[], options: { cwd: string; env?: Record<string, string> }) => {
  const { stdout } = await runFile(program, [...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    maxBuffer: 256 * 1024 * 1024,
  })
  return stdout
}

/** Installs packages of Debian that are missing. */
export async function installDebian(packages: readonly string[]): Promise<void> {
  const args = ['--show', '--showformat', '${db:Status-Status} ', ...packages]
  const states = await run('dpkg-query', args, { cwd: '/' }).catch(() => '')
  if (
    states
      .trim()
      .split(' ')
      .filter((state) => state === 'installed').length === packages.length
  )
    return
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { cwd: '/', env })
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { cwd: '/', env })
}

const groups = new Set<number>()
process.on('exit', () => {
  for (const group of groups) process.kill(-group, 'SIGKILL')
})

/** Starts a server in a process group of its own. Its output is ignored. */
export function startServer(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): ChildProcess {
  const server = spawn(program, [...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: 'ignore',
    detached: true,
  })
  const { pid } = server
  if (pid === undefined) throw new Error(`${program} does not start`)
  groups.add(pid)
  server.on('exit', () => groups.delete(pid))
  return server
}

export async function stopServers(servers: readonly ChildProcess[]): Promise<void> {
  for (const server of [...servers].reverse()) {
    if (server.exitCode !== null || server.signalCode !== null) continue
    process.kill(-server.pid!, 'SIGTERM')
    await once(server, 'exit')
  }
}

const maxStartMs = 600_000

/** Waits until a condition holds. @throws after ten minutes */
export async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < maxStartMs; await sleep(500))
    if (await holds().catch(() => false)) return
  throw new Error(`${what} does not answer`)
}

/** Waits until a server responds at a URL. */
export const waitForAnswer = (url: string): Promise<void> =>
  waitUntil(url, async () => (await fetch(url, { redirect: 'manual' })).status < 500)

/** Rows of a database of SQLite. */
export function dumpSqlite(file: string): Dump {
  const database = new DatabaseSync(file, { readOnly: true })
  const toText = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : typeof value === 'bigint' ? String(value) : value
  try {
    const tables = database
      .prepare("select name from sqlite_master where type = 'table' and sql not like 'create virtual%'")
      .all() as { name: string }[]
    return new Map(
      tables.map(({ name }) => {
        const statement = database.prepare(`select * from "${name}"`)
        statement.setReadBigInts(true)
        return [name, statement.all().map((row) => JSON.stringify(row, toText))]
      }),
    )
  } finally {
    database.close()
  }
}

/** Files of a folder with their lines, as tables. */
export function dumpFiles(folder: string, isIgnored: (path: string) => boolean = () => false): Dump {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return new Map(
    paths.filter((path) => !isIgnored(path)).map((path) => [path, readFileSync(join(folder, path), 'latin1').split('\n')]),
  )
}

export type TableChange = { table: string; added: string[]; removed: string[] }

/** Rows that two dumps do not share, by table. */
export function compareDumps(before: Dump, after: Dump): TableChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((table) => {
    const beforeRows = new Set(before.get(table))
    const afterRows = new Set(after.get(table))
    const added = [...afterRows].filter((row) => !beforeRows.has(row))
    const removed = [...beforeRows].filter((row) => !afterRows.has(row))
    return added.length + removed.length > 0 ? [{ table, added, removed }] : []
  })
}

/** Splits changes into those that opening pages explains, by reason, and faults. */
export function explainChanges(changes: readonly TableChange[], openingWrites: readonly OpeningWrite[]) {
  const explained = new Map<string, number>()
  const faults: string[] = []
  for (const { table, added, removed } of changes)
    for (const [sign, rows] of [['+', added] as const, ['-', removed] as const])
      for (const row of rows) {
        const write = openingWrites.find((one) => one.table.test(table) && (one.row?.test(row) ?? true))
        if (write) explained.set(`${table}: ${write.reason}`, (explained.get(`${table}: ${write.reason}`) ?? 0) + 1)
        else faults.push(`${sign} ${table} ${row.slice(0, 400)}`)
      }
  return { explained, faults }
}
