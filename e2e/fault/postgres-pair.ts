import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../../packages/server/test/database.ts'
import { freePort } from '../product/start.ts'
import { parentIn, processesWhere, signalAll } from '../product/processes.ts'

/** Two servers of PostgreSQL, the second a synchronous copy of the first, until they change places. */
export type Pair = {
  /** Both, for DATABASE_URL. */
  url: string
  /** Asks the one that takes writes. */
  ask(statement: string): Promise<Record<string, unknown>[]>
  /** The copy takes the place of the primary, which stays: what it does then is in the name. */
  replaced: { name: string; act: () => Promise<void> }
  /** The one that was replaced becomes the copy. */
  followed(): Promise<void>
  /** The primary is killed, and the copy takes its place. */
  killed(): Promise<void>
  stop(): void
}

const programs = '/usr/lib/postgresql/15/bin'
type Server = { name: string; data: string; port: number }
const serverOf = async (folder: string, name: string): Promise<Server> => ({
  name,
  data: join(folder, name),
  port: await freePort(),
})
const urlOf = (...servers: Server[]) =>
  `postgres://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`
const asPostgres = (...command: string[]) => ['-u', 'postgres', '--', ...command]
/** What is stopped already cannot be stopped. */
function ifItCan(stop: () => void): void {
  try {
    stop()
  } catch {
    // It is stopped.
  }
}
/** Nothing that was started outlives a start that failed. */
async function orElse(stop: () => void, start: () => Promise<void>): Promise<void> {
  try {
    await start()
  } catch (error) {
    stop()
    throw error
  }
}
const askServer = (server: Server, statement: string) =>
  withClient(urlOf(server), async (db) => (await db.query<Record<string, unknown>>(statement)).rows)

/**
 * Promoted by this program, at once: first while the primary still takes writes, which it cannot confirm, and stays, its
 * connections with it; then, the other way round, when it is killed.
 */
export async function promotedPair(folder: string): Promise<Pair> {
  const [one, two] = [await serverOf(folder, 'one'), await serverOf(folder, 'two')]
  const postgres = (program: string, ...args: string[]) =>
    execFileSync('runuser', asPostgres(join(programs, program), ...args), { stdio: 'ignore', cwd: folder })
  const start = ({ data, port }: Server) => {
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=120`
    postgres('pg_ctl', '-D', data, '-w', '-l', `${data}.log`, '-o', options, 'start')
  }
  const stop = ({ data }: Server, how: 'fast' | 'immediate') =>
    postgres('pg_ctl', '-D', data, '-m', how, '-w', 'stop')
  const promote = ({ data }: Server) => postgres('pg_ctl', '-D', data, '-w', 'promote')
  const change = async (server: Server, setting: string) => {
    await askServer(server, `alter system ${setting}`)
    await askServer(server, 'select pg_reload_conf()')
  }
  /** Makes a server a copy of another, which from then on confirms only what the copy has, too. */
  async function follow(server: Server, primary: Server): Promise<void> {
    rmSync(server.data, { recursive: true, force: true })
    const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=copy`
    postgres('pg_basebackup', '-D', server.data, '-d', from, '-R', '-c', 'fast', '-X', 'stream')
    start(server)
    await change(primary, `set synchronous_standby_names = 'copy'`)
  }

  const stopBoth = () => {
    for (const server of [one, two]) ifItCan(() => stop(server, 'immediate'))
  }

  postgres('initdb', '-D', one.data, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8')
  appendFileSync(join(one.data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n')
  await orElse(stopBoth, async () => {
    start(one)
    await follow(two, one)
  })
  let primary = one
  return {
    url: urlOf(one, two),
    ask: (statement) => askServer(primary, statement),
    replaced: {
      name: 'a primary that became read-only',
      // What is written on the old one from now on waits for a copy that has gone, and never ends.
      act: async () => {
        promote(two)
        primary = two
        await pause(500)
        await change(one, 'set default_transaction_read_only = on')
      },
    },
    followed: async () => {
      stop(one, 'fast')
      await follow(one, two)
    },
    killed: async () => {
      stop(two, 'immediate')
      promote(one)
      primary = one
      // Nobody follows it now.
      await change(one, 'reset synchronous_standby_names')
    },
    stop: stopBoth,
  }
}

/** What Patroni needs to know of one server; it reads JSON as YAML. */
const patroniSettings = (server: Server, rest: number, etcd: number) => ({
  scope: 'clearway',
  name: server.name,
  restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
  etcd3: { host: `127.0.0.1:${etcd}` },
  bootstrap: {
    dcs: {
      // The least that it takes: after so many seconds without a word the primary is given up.
      ttl: 20,
      loop_wait: 5,
      retry_timeout: 5,
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, parameters: { max_connections: 120 } },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }],
  },
  postgresql: {
    listen: `127.0.0.1:${server.port}`,
    connect_address: `127.0.0.1:${server.port}`,
    data_dir: server.data,
    bin_dir: programs,
    authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
    parameters: { unix_socket_directories: '' },
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  },
})

function etcdFlags(folder: string, port: number, peer: number): string[] {
  const [client, between] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`]
  const flags = {
    'data-dir': join(folder, 'etcd'),
    'initial-cluster': `default=${between}`,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': between,
    'initial-advertise-peer-urls': between,
  }
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
}

/** Patroni and etcd decide: first they are asked to switch over, then all processes of the primary's machine are killed. */
export async function patroniPair(folder: string): Promise<Pair> {
  const servers = [await serverOf(folder, 'one'), await serverOf(folder, 'two')] as const
  const [one, two] = servers
  const rest = new Map([[one, await freePort()] as const, [two, await freePort()] as const])
  const [etcd, peer] = [await freePort(), await freePort()]
  const run = (name: string, ...command: string[]) => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    spawn('runuser', asPostgres(...command), { cwd: folder, stdio: ['ignore', log, log] })
  }
  const startPatroni = (server: Server) => {
    const file = `${server.data}.json`
    writeFileSync(file, JSON.stringify(patroniSettings(server, rest.get(server)!, etcd)))
    run(server.name, 'patroni', file)
  }
  /** What runs on these files: Patroni, its PostgreSQL and what that has started, or etcd besides. */
  const kill = (path: string) => {
    const main = processesWhere((of) => of('cmdline').includes(path))
    const below = processesWhere((of) => main.includes(parentIn(of('status'))))
    signalAll([...main, ...below], 'SIGKILL')
  }
  const api = (server: Server, path: string, body?: object) =>
    fetch(`http://127.0.0.1:${rest.get(server)}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const find = async (role: 'primary' | 'sync'): Promise<Server> => {
    for (const until = performance.now() + 60_000; performance.now() < until; await pause(200))
      for (const server of servers) if ((await api(server, `/${role}`).catch(() => null))?.ok) return server
    throw new Error(`Patroni has no ${role}; its logs are in ${folder}`)
  }

  await orElse(
    () => kill(folder),
    async () => {
      run('etcd', 'etcd', ...etcdFlags(folder, etcd, peer))
      startPatroni(one)
      await find('primary')
      startPatroni(two)
      await find('sync')
    },
  )
  return {
    url: urlOf(one, two),
    ask: async (statement) => askServer(await find('primary'), statement),
    replaced: {
      name: 'a switchover that was asked for',
      act: async () => {
        const leader = await find('primary')
        const candidate = leader === one ? two : one
        const names = { leader: leader.name, candidate: candidate.name }
        const reply = await api(leader, '/switchover', names)
        if (!reply.ok) throw new Error(`Patroni: ${await reply.text()}`)
      },
    },
    followed: async () => void (await find('sync')),
    killed: async () => kill((await find('primary')).data),
    stop: () => kill(folder),
  }
}
