import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../product/start.ts'

const programs = '/usr/lib/postgresql/15/bin'

/** Starts a PostgreSQL 15 of its own, which can be stopped and started again. Needs root. */
export async function startSinglePostgres(folder: string) {
  const port = await findFreePort()
  const data = join(folder, 'data')
  mkdirSync(folder)
  execFileSync('chown', ['postgres', folder])
  const runPostgres = (program: string, ...args: string[]) =>
    void execFileSync('runuser', ['-u', 'postgres', '--', join(programs, program), '-D', data, ...args], {
      stdio: 'ignore',
      cwd: folder,
    })
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`
  const start = () => runPostgres('pg_ctl', '-w', '-l', join(folder, 'log'), '-o', options, 'start')
  const stop = () => runPostgres('pg_ctl', '-w', '-m', 'fast', 'stop')
  runPostgres('initdb', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync')
  start()
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, start, stop }
}
