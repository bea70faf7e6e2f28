import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../../packages/server/test/database.ts'
import { findFreePort } from '../product/start.ts'
import { parseParentId, findProcesses, signalAll } from '../product/processes.ts'

/** Two PostgreSQL servers, the second a synchronous replica of the first, until they switch roles. */
export type Pair = {
  /** Connection string of both, for DATABASE_URL. */
  url: string
  /** Queries the server that accepts writes. */
  ask(statement: string): Promise<Record<string, unknown>[]>
  /** The replica replaces the primary, which stays; the name says how. */
  replaced: { name: string; act: () => Promise<void> }
  /** Resolves when the replaced server has become the replica. */
  followed(): Promise<void>
  /** Kills the primary; the replica takes over. */
  killed(): Promise<void>
  stop(): void
}

const programs = '/usr/lib/postgresql/15/bin'
type Server = { name: string; data: string; port: number }
const createServer = async (folder: string, name: string): Promise<Server> => ({
  name,
  data: join(folder, name),
  port: await findFreePort(),
})
const buildUrl = (...servers: Server[]) =>
  `postgres://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`
const buildSudoArgs = (...command: string[]) => ['-u', 'postgres', '--', ...command]
/** A stopped server cannot be stopped again. */
function ignoringErrors(stop: () => void): void {
  try {
    stop()
  } catch {
    // It is stopped.
  }
}
/** Stops everything that a failed start has left running. */
async function startOrStop(stop: () => void, start: () => Promise<void>): Promise<void> {
  try {
    await start()
  } catch (error) {
    stop()
    throw error
  }
}
const queryServer = (server: Server, statement: string) =>
  withClient(buildUrl(server), async (db) => (await db.query<Record<string, unknown>>(statement)).rows)

/**
 * This script promotes the replica immediately: first while the primary still accepts writes, which it cannot confirm, and
 * keeps its connections; then, in the opposite direction, after the primary was killed.
 */
export async function startPromotedPair(folder: string): Promise<Pair> {
  const [firstServer, secondServer] = [await createServer(folder, 'one'), await createServer(folder, 'two')]
  const runPostgres = (program: string, ...args: string[]) =>
    execFileSync('runuser', buildSudoArgs(join(programs, program), ...args), { stdio: 'ignore', cwd: folder })
  const startServer = ({ data, port }: Server) => {
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=120`
    runPostgres('pg_ctl', '-D', data, '-w', '-l', `${data}.log`, '-o', options, 'start')
  }
  const stopServer = ({ data }: Server, mode: 'fast' | 'immediate') => runPostgres('pg_ctl', '-D', data, '-m', mode, '-w', 'stop')
  const promoteServer = ({ data }: Server) => runPostgres('pg_ctl', '-D', data, '-w', 'promote')
  const changeSetting = async (server: Server, setting: string) => {
    await queryServer(server, `alter system ${setting}`)
    await queryServer(server, 'select pg_reload_conf()')
  }
  /** Makes a server the replica of another, which then confirms only what the replica has, too. */
  async function follow(server: Server, primary: Server): Promise<void> {
    rmSync(server.data, { recursive: true, force: true })
    const primaryConnection = `host=127.0.0.1 port=${primary.port} user=postgres application_name=copy`
    runPostgres('pg_basebackup', '-D', server.data, '-d', primaryConnection, '-R', '-c', 'fast', '-X', 'stream')
    startServer(server)
    await changeSetting(primary, `set synchronous_standby_names = 'copy'`)
  }

  const stopBoth = () => {
    for (const server of [firstServer, secondServer]) ignoringErrors(() => stopServer(server, 'immediate'))
  }

  runPostgres('initdb', '-D', firstServer.data, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8')
  appendFileSync(join(firstServer.data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n')
  await startOrStop(stopBoth, async () => {
    startServer(firstServer)
    await follow(secondServer, firstServer)
  })
  let primary = firstServer
  return {
    url: buildUrl(firstServer, secondServer),
    ask: (statement) => queryServer(primary, statement),
    replaced: {
      name: 'a primary that became read-only',
      // Writes on the old primary wait for a replica that has gone, and never complete.
      act: async () => {
        promoteServer(secondServer)
        primary = secondServer
        await pause(500)
        await changeSetting(firstServer, 'set default_transaction_read_only = on')
      },
    },
    followed: async () => {
      stopServer(firstServer, 'fast')
      await follow(firstServer, secondServer)
    },
    killed: async () => {
      stopServer(secondServer, 'immediate')
      promoteServer(firstServer)
      primary = firstServer
      // It has no replica now.
      await changeSetting(firstServer, 'reset synchronous_standby_names')
    },
    stop: stopBoth,
  }
}

/** Patroni's settings for one server; it reads JSON as YAML. */
const buildPatroniSettings = (server: Server, restPort: number, etcdPort: number) => ({
  scope: 'clearway',
  name: server.name,
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    dcs: {
      // Minimum allowed value: seconds without a heartbeat until the primary is considered dead.
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

function buildEtcdFlags(folder: string, port: number, peer: number): string[] {
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

/** Patroni and etcd decide: first a switchover is requested, then all processes of the primary's machine are killed. */
export async function startPatroniPair(folder: string): Promise<Pair> {
  const servers = [await createServer(folder, 'one'), await createServer(folder, 'two')] as const
  const [firstServer, secondServer] = servers
  const restPorts = new Map([[firstServer, await findFreePort()] as const, [secondServer, await findFreePort()] as const])
  const [etcd, peer] = [await findFreePort(), await findFreePort()]
  const startProgram = (name: string, ...command: string[]) => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    spawn('runuser', buildSudoArgs(...command), { cwd: folder, stdio: ['ignore', log, log] })
  }
  const startPatroni = (server: Server) => {
    const file = `${server.data}.json`
    writeFileSync(file, JSON.stringify(buildPatroniSettings(server, restPorts.get(server)!, etcd)))
    startProgram(server.name, 'patroni', file)
  }
  /** Kills the processes on these files: Patroni, its PostgreSQL and their children, or etcd. */
  const killProcesses = (path: string) => {
    const mainPids = findProcesses((readProcessFile) => readProcessFile('cmdline').includes(path))
    const childPids = findProcesses((readProcessFile) => mainPids.includes(parseParentId(readProcessFile('status'))))
    signalAll([...mainPids, ...childPids], 'SIGKILL')
  }
  const callPatroni = (server: Server, path: string, body?: object) =>
    fetch(`http://127.0.0.1:${restPorts.get(server)}${path}`, { ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  const findServer = async (role: 'primary' | 'sync'): Promise<Server> => {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await pause(200))
      for (const server of servers) if ((await callPatroni(server, `/${role}`).catch(() => null))?.ok) return server
    throw new Error(`Patroni has no ${role}; its logs are in ${folder}`)
  }

  await startOrStop(
    () => killProcesses(folder),
    async () => {
      startProgram('etcd', 'etcd', ...buildEtcdFlags(folder, etcd, peer))
      startPatroni(firstServer)
      await findServer('primary')
      startPatroni(secondServer)
      await findServer('sync')
    },
  )
  return {
    url: buildUrl(firstServer, secondServer),
    ask: async (statement) => queryServer(await findServer('primary'), statement),
    replaced: {
      name: 'a switchover that was asked for',
      act: async () => {
        const leader = await findServer('primary')
        const candidate = leader === firstServer ? secondServer : firstServer
        const switchover = { leader: leader.name, candidate: candidate.name }
        const reply = await callPatroni(leader, '/switchover', switchover)
        if (!reply.ok) throw new Error(`Patroni: ${await reply.text()}`)
      },
    },
    followed: async () => void (await findServer('sync')),
    killed: async () => killProcesses((await findServer('primary')).data),
    stop: () => killProcesses(folder),
  }
}
