import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig, renderSettings } from '../packages/server/src/config.ts'

// The files of deploy/compose, by the schema of the Compose specification, and what they set by the product's own reader.

const root = join(import.meta.dirname, '..')
const folder = join(root, 'deploy/compose')
type Service = {
  environment?: Record<string, string>
  env_file?: unknown
  networks?: string[]
  image: string
  security_opt?: string[]
}
type Compose = { services: Record<string, Service> }

/** What people write into .env; `${NAME:?…}` must be among them. */
const given: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'secret',
  CLEARWAY_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  CLEARWAY_S3_SECRET: 'of the objects alone',
  DOMAIN: 'clearway.example.org',
  SSO_DOMAIN: 'sso.example.org',
  KEYCLOAK_PASSWORD: 'secret',
  KEYCLOAK_DATABASE_PASSWORD: 'of Keycloak alone',
}
const filledIn = (text: string): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, mark?: string, rest = '') => {
    if (given[name] !== undefined) return given[name]
    expect([name, mark]).toEqual([name, '-'])
    return rest
  })
/** `!reset` takes away what the first file says. */
const reset = { tag: '!reset', collection: 'seq' as const, resolve: (value: unknown) => value }
const read = (name: string) =>
  parse(filledIn(readFileSync(join(folder, name), 'utf8')), { merge: true, customTags: [reset] }) as Compose

const schema = JSON.parse(readFileSync(join(root, 'fixtures/compose/compose-spec.json'), 'utf8')) as object
const isCompose = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
const [basic, full] = [read('compose.yaml'), read('compose.full.yaml')]

describe('deploy/compose', () => {
  it('is what the Compose specification allows', () => {
    for (const file of [basic, full]) {
      isCompose(file)
      expect(isCompose.errors).toBeNull()
    }
    expect(isCompose({ services: { a: { imagee: 'typing error' } } })).toBe(false)
  })

  it('sets what the product takes', () => {
    const server = { ...basic.services.server!.environment, ...full.services.server!.environment }
    for (const env of [basic.services.server!.environment!, server, basic.services.worker!.environment!]) {
      const config = readConfig(env)
      expect('problem' in config ? config.problem : '').toBe('')
    }
  })

  it('gives a worker no secret that it does not use', () => {
    const worker = basic.services.worker!
    expect(worker.env_file).toBeUndefined()
    expect(full.services.worker).toBeUndefined()
    const secrets = renderSettings((all) =>
      Object.keys(all)
        .filter((name) => all[name]!.secret)
        .join(' '),
    ).split(' ')
    expect(secrets).toContain('CLEARWAY_SMTP_URL')
    expect(Object.keys(worker.environment!).filter((name) => secrets.includes(name))).toEqual([
      'DATABASE_URL',
      'CLEARWAY_SECRET_KEY',
      'CLEARWAY_S3_SECRET',
      'CLEARWAY_SECRET_KEY_OLD',
      'CLEARWAY_REPORTS_SECRET',
      'OTEL_EXPORTER_OTLP_HEADERS',
    ])
  })

  it('keeps what is of Keycloak with Keycloak', () => {
    const { server, keycloak, 'keycloak-database': database } = full.services
    // The server has the rest of .env by env_file: these it gets empty.
    const own = Object.keys(given).filter((name) => name.startsWith('KEYCLOAK_'))
    expect(own.map((name) => server!.environment![name])).toEqual(['', ''])
    expect([keycloak!.environment!['KC_DB_PASSWORD'], database!.environment!['POSTGRES_PASSWORD']]).toEqual([
      'of Keycloak alone',
      'of Keycloak alone',
    ])
    const reached = Object.entries({ ...basic.services, ...full.services }).flatMap(([name, { networks }]) =>
      Array.isArray(networks) && networks.includes('keycloak') ? [name] : [],
    )
    expect([reached, database!.networks]).toEqual([['keycloak', 'keycloak-database'], ['keycloak']])
  })

  it('keeps the sandbox of the browser: the profile is where compose.yaml says', () => {
    const named = basic.services.worker!.security_opt!.find((option) => option.startsWith('seccomp='))!
    const profile = JSON.parse(readFileSync(join(folder, named.slice('seccomp='.length)), 'utf8')) as {
      defaultAction: string
      syscalls: { names: string[]; action: string; args?: unknown[]; includes?: object; excludes?: object }[]
    }
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO')
    const own = profile.syscalls.at(-1)!
    expect([own.action, own.names]).toEqual(['SCMP_ACT_ALLOW', ['chroot', 'clone', 'clone3', 'unshare']])
    // A second rule for one of them would win where it refuses.
    const others = profile.syscalls.slice(0, -1).flatMap(({ names }) => names)
    expect(own.names.filter((name) => others.includes(name))).toEqual([])
  })
})
