import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Application, dumpSqlite, password, run, startServer } from './application.ts'

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

/** Directus from npm, with SQLite. */
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
    writeFileSync(join(folder, 'ready'), '')
  },
  start: (folder, port) => [
    startServer('node', ['node_modules/directus/cli.js', 'start'], { cwd: folder, env: getEnvironment(folder, port) }),
  ],
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
