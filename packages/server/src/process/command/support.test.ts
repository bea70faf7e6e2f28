import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { type Config, readConfig } from '../../config.ts'
import { openMonitorDatabase } from '../database.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-support-'))
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const db = await openMonitorDatabase(readConfig({}) as Config, database.url)
  await db.destroy()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const keyBytes = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const url = (name: string) => `https://ann:planted-${name}@host.example/in?token=planted-token-${name}`
/** A secret in every setting that takes one, also where none belongs. */
const planted = {
  CLEARWAY_SECRET_KEY_OLD: keyBytes(8),
  CLEARWAY_PUBLIC_URL: 'https://ann:planted-public@host.example',
  CLEARWAY_S3_URL: url('s3'),
  CLEARWAY_S3_KEY_ID: 'planted-key-id',
  CLEARWAY_S3_SECRET: 'planted-s3-secret',
  CLEARWAY_ADMIN_PASSWORD: 'planted "admin" \\ password',
  CLEARWAY_BROWSER: 'wss://ann:planted-browser@host.example/?token=planted-token-browser',
  CLEARWAY_PROXY_URL: 'http://ann:planted%40proxy@host.example:3128',
  CLEARWAY_OIDC_ISSUER: 'https://ann:planted-issuer@host.example/realms/a',
  CLEARWAY_OIDC_JWKS_URL: url('jwks'),
  CLEARWAY_OIDC_MANAGE_URL: url('manage'),
  CLEARWAY_ACCOUNT_URL: url('account'),
  CLEARWAY_SERVICE_SECRET: 'planted-service-secret',
  CLEARWAY_BACKUP_PASSPHRASE: 'planted passphrase',
  CLEARWAY_SMTP_URL: 'smtps://ann:planted-mail@mail.example',
  CLEARWAY_SUPPORT_URL: url('support'),
  CLEARWAY_HELP_URL: url('help'),
  CLEARWAY_PRODUCTS: `Other=${url('products')}`,
  CLEARWAY_REPORTS_URL: url('reports'),
  CLEARWAY_REPORTS_INGEST_URL: url('ingest'),
  CLEARWAY_REPORTS_SECRET: 'planted-reports-secret',
  CLEARWAY_EURO_URL: url('euro'),
  CLEARWAY_ANALYTICS_KEY: 'planted-analytics',
  OTEL_EXPORTER_OTLP_ENDPOINT: url('otel'),
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20planted-header',
}

function runSupport(environment: Record<string, string>, args: readonly string[], input = '') {
  const data = join(folder, 'data')
  const completed = spawnSync(process.execPath, [join(import.meta.dirname, 'support.ts'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, CLEARWAY_DATA: data, ...environment },
    encoding: 'utf8',
    input,
  })
  return { code: completed.status, said: completed.stdout + completed.stderr }
}

it('contains none of the secrets of any setting, and what helps', () => {
  const keyFile = join(folder, 'key')
  writeFileSync(keyFile, `${keyBytes(7)}\n`)
  const environment = { ...planted, DATABASE_URL: database.url, CLEARWAY_SECRET_KEY_FILE: keyFile }
  expect(readConfig(environment)).not.toHaveProperty('problem')
  const log = [
    ...Object.entries(planted).map(([name, value]) => `{"msg":"${name} is ${value}"}`),
    `decoded: planted@proxy, header: Bearer planted-header, key: ${keyBytes(7)}`,
    'someone else: postgres://bob:planted-foreign@db.example/x',
    '{"url":"https://site.example/a?token=planted-token","msg":"opens https://site.example/b#planted-fragment"}',
    'Create the first administrator: https://clearway.example/planted-setup',
    '{"msg":"ready"}',
  ].join('\n')
  const file = join(folder, 'bundle.json')
  expect(runSupport(environment, [file, '--log', '-'], log)).toMatchObject({
    code: 0,
    said: expect.stringContaining('Read it before you pass it on') as string,
  })
  const bundleText = readFileSync(file, 'utf8')
  expect(bundleText.match(/.*(planted|AgICA|BwcHB).*/g) ?? []).toEqual([])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const bundle = JSON.parse(bundleText) as Record<string, unknown> & { settings: string[]; log: string[] }
  expect(bundle).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    build: 'development',
    machine: { node: process.version },
    system: {
      health: { details: { database: { status: 'UP' } } },
      monitorMigrations: expect.arrayContaining([expect.objectContaining({ appliedAt: expect.any(String) as string })]) as object,
      endedRunsOfWeek: [],
      figures: { waitingPages: 0 },
      tables: expect.arrayContaining([expect.objectContaining({ table: 'monitor.run' })]) as object,
    },
  })
  expect(bundle.settings).toEqual(
    expect.arrayContaining([
      'CLEARWAY_S3_URL=https://host.example',
      'CLEARWAY_SECRET_KEY_FILE',
      'CLEARWAY_PRODUCTS=Other=https://host.example',
    ]),
  )
  expect(bundle.log.slice(-3)).toEqual([
    '{"url":"https://site.example/a?[removed]","msg":"opens https://site.example/b?[removed]"}',
    'Create the first administrator: [removed]',
    '{"msg":"ready"}',
  ])
})

it('is written without a database, and says why there is none', () => {
  const file = join(folder, 'down.json')
  const environment = { DATABASE_URL: 'postgres://ann:planted-password@127.0.0.1:9/none' }
  expect(runSupport(environment, [file])).toMatchObject({ code: 0 })
  const bundleText = readFileSync(file, 'utf8')
  expect(bundleText).toMatch(/"problem": "The database of DATABASE_URL .*ECONNREFUSED/)
  expect(bundleText).not.toContain('planted')
})
