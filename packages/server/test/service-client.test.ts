import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../src/config.ts'
import { openSeal } from '../src/kit/seal.ts'
import { findMailReaders } from '../src/monitor/notification/store.ts'
import type { MonitorDb } from '../src/monitor/database.ts'
import { openAccounts } from '../src/monitor/user/account/service.ts'
import { openMonitor } from '../src/process/database.ts'
import { getServiceClient } from '../src/process/idp.ts'
import { serve, type RunningServer } from '../src/process/serve.ts'
import { useTestApi } from './api.ts'
import type { TestDatabase } from './database.ts'
import { openMigratedDatabase } from './migrated-database.ts'

const insertMembers = (db: MonitorDb) =>
  sql`with people as (
      insert into account.member (id, username, first_name, last_name, email, seen_at)
      select name, name, name, 'Test', name || '@example.org', now() from unnest(array['ann', 'ben']) as name
      returning id
    ), made as (insert into account.team (id, name) values ('red', 'Red') returning id)
    insert into account.team_member (team_id, member_id) select made.id, people.id from made, people`.execute(db)

describe('the email addresses of a team', () => {
  const api = useTestApi()
  const readEmails = async (path: string, token: string) => {
    const { body } = await api.account('GET', path, { token })
    const [team] = [body].flat() as { members: { email: string | null }[] }[]
    return team!.members.map(({ email }) => email)
  }
  it('are for administrators and the product, not for every reader of teams', async () => {
    await insertMembers(api.db)
    const allEmails = ['ann@example.org', 'ben@example.org']
    // Invited people have their address as user name.
    await sql`update account.member set username = 'ann@example.org' where id = 'ann'`.execute(api.db)
    for (const path of ['/teams-by-ids?all=true', '/teams-by-ids?ids=red', '/team/red']) {
      const { body } = await api.account('GET', path, { token: await api.token('ben') })
      expect(JSON.stringify(body)).not.toContain('@')
      expect([body].flat()).toMatchObject([{ members: [{ username: 'ann' }, { username: 'ben', email: null }] }])
      expect((await api.account('GET', path, { token: await api.token('someone') })).body).not.toMatchObject([{ id: 'red' }])
      expect(await readEmails(path, await api.token('admin', ['access', 'admin']))).toEqual(allEmails)
    }
    expect(await readEmails('/teams-by-ids?all=true', await api.token('product', ['service']))).toEqual(allEmails)
  })

  it('are the only data that the product may read with its own token', async () => {
    const token = await api.token('product', ['service'])
    for (const [method, path] of [
      ['GET', '/me'],
      ['GET', '/teams'],
      ['GET', '/team/red'],
      ['DELETE', '/team/red'],
    ] as const)
      expect((await api.account(method, path, { token })).status, path).toBe(403)
    expect((await api.call('GET', '/scans', { token })).status).toBe(403)
  })
})

describe('the client of the product at the embedded provider', () => {
  let database: TestDatabase
  let server: RunningServer
  let dataFolder: string
  let config: Config
  let db: MonitorDb
  beforeAll(async () => {
    database = await openMigratedDatabase()
    dataFolder = mkdtempSync(join(tmpdir(), 'clearway-service-'))
    config = readConfig({
      DATABASE_URL: database.url,
      CLEARWAY_DATA: dataFolder,
      CLEARWAY_PORT: '0',
      CLEARWAY_ROLES: 'api,account,idp',
      CLEARWAY_WEB: 'false',
    }) as Config
    server = await serve(config)
    db = openMonitor(config, database.url)
    await insertMembers(db)
  })
  afterAll(async () => {
    await db.destroy()
    await server.stop()
    await database.drop()
    rmSync(dataFolder, { recursive: true, force: true })
  })
  const getTokenUrl = () => `${server.url}/realms/clearway/protocol/openid-connect/token`
  const openAccountsWith = (secret: string, messages: string[]) =>
    openAccounts({
      db,
      accountUrl: server.url,
      service: { id: config.CLEARWAY_SERVICE_CLIENT, secret, tokenUrl: () => Promise.resolve(getTokenUrl()) },
      log: (_level, message) => messages.push(message),
    })
  const listKnownMembers = async () => (await db.selectFrom('person').select('email').execute()).map(({ email }) => email)

  it('has no access without its secret', async () => {
    const messages: string[] = []
    await openAccountsWith('a secret that was guessed', messages).refresh()
    expect(messages).toEqual(['sign-in of the service client: it answers 401'])
    expect(await listKnownMembers()).toEqual([])
  })

  it('loads all members of a team, so that mails reach those who never signed in', async () => {
    const messages: string[] = []
    const { secret } = getServiceClient(config, openSeal({ setting: null, folder: dataFolder }))
    await openAccountsWith(secret, messages).refresh()
    expect(messages).toEqual([])
    expect(new Set(await listKnownMembers())).toEqual(new Set(['ann@example.org', 'ben@example.org']))
    const scan = '01a20290-0000-7000-8000-000000000001'
    await sql`insert into scan (id, name, settings, type, urls, priority, owner_id)
      values (${scan}, 'Mailed', '{}', 'standard', '{}', 0, 'ann')`.execute(db)
    await sql`insert into scan_access (id, scan_id, team_id, role)
      values (${scan}, ${scan}, 'red', 'scanViewer')`.execute(db)
    expect((await findMailReaders(db, scan, true)).map(({ email }) => email)).toEqual(['ann@example.org', 'ben@example.org'])
  })
})
