import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepareDistribution } from '../../e2e/keycloak/server.ts'
import { type Application, password, run, startServer } from './application.ts'

/** Several processes may open it, so that it can be read while the server runs. */
const getDatabaseUrl = (folder: string) =>
  `jdbc:h2:file:${join(folder, 'server/data/h2/bench')};NON_KEYWORDS=VALUE;AUTO_SERVER=TRUE`

/** The administration of Keycloak from Maven, which signs in through Keycloak's own pages by OpenID Connect. */
export const keycloak: Application = {
  name: 'Keycloak',
  async install(folder) {
    if (!existsSync(join(folder, 'server'))) cpSync(prepareDistribution(), join(folder, 'server'), { recursive: true })
  },
  start: (folder, port) => [
    startServer(
      'sh',
      ['bin/kc.sh', 'start-dev', '--http-host=127.0.0.1', `--http-port=${port}`, `--db-url=${getDatabaseUrl(folder)}`],
      {
        cwd: join(folder, 'server'),
        env: { KC_BOOTSTRAP_ADMIN_USERNAME: 'boss', KC_BOOTSTRAP_ADMIN_PASSWORD: password, JAVA_OPTS_APPEND: '-Xmx700m' },
      },
    ),
  ],
  startPath: '/admin/master/console/',
  signInPath: '/admin/master/console/',
  user: 'boss',
  // Its pages are routes in the fragment.
  settings: () => ({ advanced: { hashRoutes: true } }),
  fields: { user: '#username', password: '#password', submit: '#kc-login' },
  async dump(folder) {
    const libraries = join(folder, 'server/lib/lib/main')
    const driver = readdirSync(libraries).find((name) => name.startsWith('com.h2database.h2-'))
    if (!driver) throw new Error('Keycloak has no driver of H2')
    const args = [
      '-cp',
      join(libraries, driver),
      'org.h2.tools.Shell',
      '-url',
      getDatabaseUrl(folder),
      '-user',
      'sa',
      '-password',
      'password',
    ]
    const script = await run('java', [...args, '-sql', 'SCRIPT SIMPLE NOPASSWORDS'], { cwd: folder })
    const tables = new Map<string, string[]>()
    for (const line of script.split('\n')) {
      const table = /INSERT INTO "PUBLIC"\."(\w+)" VALUES\(/.exec(line)?.[1]
      if (table) tables.set(table, [...(tables.get(table) ?? []), line])
    }
    return tables
  },
  openingWrites: [
    { table: /^(?:OFFLINE_)?(?:USER|CLIENT)_SESSION$/, reason: 'sessions' },
    { table: /^REVOKED_TOKEN$|^SERVER_CONFIG$/, reason: 'sessions' },
  ],
}
