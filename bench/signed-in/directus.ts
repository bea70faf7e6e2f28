import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findFreePort } from '../../packages/engine/test/free-port.ts'
import { type Application, dumpSqlite, password, run, startServer, stopServers, waitForAnswer } from './application.ts'

/** Compiled packages are for the system's Node, not for the one that runs this program. */
const systemPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .join(delimiter)

const getEnvironment = (folder: string, port = 8055) => ({
  PATH: systemPath,
  DB_CLIENT: 'sqlite3',
  DB_FILENAME: join(folder, 'data.db'),
  ADMIN_EMAIL: 'boss@example.org',
  ADMIN_PASSWORD: password,
  SECRET: 'bench-secret-of-32-characters-x7',
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  TELEMETRY: 'false',
})

const startDirectus = (folder: string, port: number) =>
  startServer('node', ['node_modules/directus/cli.js', 'start'], { cwd: folder, env: getEnvironment(folder, port) })

/** Calls the interface of Directus. @throws if it refuses */
async function callDirectus<T>(url: string, body: object, token?: string): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

const collectionNumbers = Array.from({ length: 50 }, (_, index) => index + 1)

/** Creates collections with entries; the navigation links each of them. */
async function fillDirectus(folder: string): Promise<void> {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const server = startDirectus(folder, port)
  try {
    await waitForAnswer(`${origin}/server/ping`)
    const login = { email: 'boss@example.org', password }
    const { data } = await callDirectus<{ data: { access_token: string } }>(`${origin}/auth/login`, login)
    for (const number of collectionNumbers) {
      const collection = `harbour_${number}`
      const fields = [
        { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true }, meta: { hidden: true } },
        { field: 'title', type: 'string', schema: {}, meta: { interface: 'input' } },
      ]
      await callDirectus(`${origin}/collections`, { collection, fields, schema: {}, meta: {} }, data.access_token)
      const items = [1, 2, 3].map((berth) => ({ title: `Berth ${berth} of harbour ${number}` }))
      await callDirectus(`${origin}/items/${collection}`, items, data.access_token)
    }
  } finally {
    await stopServers([server])
  }
}

/** Directus from npm, with SQLite and 50 collections. */
export const directus: Application = {
  name: 'Directus',
  async install(folder) {
    if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}')
    if (!existsSync(join(folder, 'node_modules/directus/cli.js')))
      await run('npm', ['install', '--no-audit', '--no-fund', '--silent', 'directus', 'sqlite3'], {
        cwd: folder,
        env: { PATH: systemPath },
      })
    if (existsSync(join(folder, 'ready'))) return
    rmSync(join(folder, 'data.db'), { force: true })
    await run('node', ['node_modules/directus/cli.js', 'bootstrap'], { cwd: folder, env: getEnvironment(folder) })
    await fillDirectus(folder)
    writeFileSync(join(folder, 'ready'), '')
  },
  start: (folder, port) => [startDirectus(folder, port)],
  startPath: '/admin/settings/project',
  signInPath: '/admin/login',
  user: 'boss@example.org',
  fields: { user: 'input[type="email"]', password: 'input[type="password"]', submit: 'button[type="submit"]' },
  dump: (folder) => dumpSqlite(join(folder, 'data.db')),
  openingWrites: [
    { table: /^directus_sessions$/, reason: 'sessions' },
    { table: /^directus_activity$/, row: /"action":"login"/, reason: 'record of the sign-in' },
    { table: /^directus_users$/, row: /"email":"boss@example.org"/, reason: 'last access and last page of the user' },
    { table: /^sqlite_sequence$/, reason: 'counters of SQLite' },
  ],
}
