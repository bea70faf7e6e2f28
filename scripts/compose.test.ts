import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig, renderSettings } from '../packages/server/src/config.ts'

// Checks the files of deploy/compose against the Compose schema, and their settings with the product's own parser.

const root = join(import.meta.dirname, '..')
const folder = join(root, 'deploy/compose')
type Service = {
  environment?: Record<string, string>
  env_file?: unknown
  networks?: string[] | Record<string, { ipv4_address?: string; aliases?: string[] } | null>
  image: string
  security_opt?: string[]
}
type Network = { internal?: boolean; ipam?: { config: { subnet: string; gateway?: string }[] } } | null
type Compose = { services: Record<string, Service>; networks: Record<string, Network> }

/** Values that users write into .env; those of `${NAME:?…}` are required. */
const userValues: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'secret',
  CLEARWAY_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  CLEARWAY_S3_SECRET: 'of the objects alone',
  DOMAIN: 'clearway.example.org',
  SSO_DOMAIN: 'sso.example.org',
  KEYCLOAK_PASSWORD: 'secret',
  KEYCLOAK_DATABASE_PASSWORD: 'of Keycloak alone',
}
const interpolate = (composeText: string): string =>
  composeText.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, mark?: string, fallback = '') => {
    if (userValues[name] !== undefined) return userValues[name]
    expect([name, mark]).toEqual([name, '-'])
    return fallback
  })
/** `!reset` removes a value of the first file. */
const reset = { tag: '!reset', collection: 'seq' as const, resolve: (value: unknown) => value }
const readComposeFile = (name: string) =>
  parse(interpolate(readFileSync(join(folder, name), 'utf8')), { merge: true, customTags: [reset] }) as Compose

const schema = JSON.parse(readFileSync(join(root, 'fixtures/compose/compose-spec.json'), 'utf8')) as object
const isCompose = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
const [basic, fullStack] = [readComposeFile('compose.yaml'), readComposeFile('compose.full.yaml')]

describe('deploy/compose', () => {
  it('conforms to the schema of Compose', () => {
    for (const file of [basic, fullStack]) {
      isCompose(file)
      expect(isCompose.errors).toBeNull()
    }
    expect(isCompose({ services: { a: { imagee: 'typing error' } } })).toBe(false)
  })

  it('sets values that the product accepts', () => {
    const server = { ...basic.services.server!.environment, ...fullStack.services.server!.environment }
    for (const env of [basic.services.server!.environment!, server, basic.services.worker!.environment!]) {
      const config = readConfig(env)
      expect('problem' in config ? config.problem : '').toBe('')
    }
  })

  it('trusts its proxy by address, not the private networks that workers and people are in', () => {
    const gateway = basic.networks.outside!.ipam!.config[0]!.gateway
    expect(basic.services.server!.environment!['CLEARWAY_TRUST_PROXY']).toBe(gateway)
    const { server, caddy } = fullStack.services
    const getNetworks = (service: Service) => service.networks as Exclude<Service['networks'], string[] | undefined>
    expect(server!.environment!['CLEARWAY_TRUST_PROXY']).toBe(getNetworks(caddy!)['proxy']!.ipv4_address)
    // Caddy calls the server over the network that only both are in.
    const inProxyNetwork = Object.entries({ ...basic.services, ...fullStack.services }).flatMap(([name, { networks }]) =>
      Object.keys(Array.isArray(networks) ? {} : (networks ?? {})).includes('proxy') ? [name] : [],
    )
    expect(inProxyNetwork.toSorted()).toEqual(['caddy', 'server'])
    const [alias] = getNetworks(server!)['proxy']!.aliases!
    expect(readFileSync(join(folder, 'Caddyfile'), 'utf8')).toContain(`reverse_proxy ${alias}:4400`)
  })

  it('merges only values of the same kind: podman-compose refuses a list and a mapping', () => {
    const getKind = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value)
    const findMixed = (path: string, one: unknown, other: unknown): string[] => {
      // `!reset` removes the first value.
      if (path.endsWith('.ports')) return []
      if (getKind(one) !== getKind(other)) return [path]
      if (one === null || other === null || getKind(one) !== 'object') return []
      const [first, second] = [one, other] as [Record<string, unknown>, Record<string, unknown>]
      return Object.keys(second).flatMap((key) => (key in first ? findMixed(`${path}.${key}`, first[key], second[key]) : []))
    }
    expect(findMixed('', basic, fullStack)).toEqual([])
    expect(findMixed('', { networks: ['a'] }, { networks: { a: null } })).toEqual(['.networks'])
  })

  it('gives a worker no secret that it does not use', () => {
    const worker = basic.services.worker!
    expect(worker.env_file).toBeUndefined()
    expect(fullStack.services.worker).toBeUndefined()
    const secrets = renderSettings((environment) =>
      Object.keys(environment)
        .filter((name) => environment[name]!.secret)
        .join(' '),
    ).split(' ')
    expect(secrets).toContain('CLEARWAY_SMTP_URL')
    expect(Object.keys(worker.environment!).filter((name) => secrets.includes(name))).toEqual([
      'DATABASE_URL',
      'CLEARWAY_SECRET_KEY',
      'CLEARWAY_S3_SECRET',
      'CLEARWAY_SECRET_KEY_OLD',
      'CLEARWAY_PROXY_URL',
      'CLEARWAY_REPORTS_SECRET',
      'OTEL_EXPORTER_OTLP_HEADERS',
    ])
  })

  it('passes Keycloak settings to Keycloak only', () => {
    const { server, keycloak, 'keycloak-database': database } = fullStack.services
    // The server receives all of .env by env_file, so these are overridden with empty values.
    const keycloakNames = Object.keys(userValues).filter((name) => name.startsWith('KEYCLOAK_'))
    expect(keycloakNames.map((name) => server!.environment![name])).toEqual(['', ''])
    expect([keycloak!.environment!['KC_DB_PASSWORD'], database!.environment!['POSTGRES_PASSWORD']]).toEqual([
      'of Keycloak alone',
      'of Keycloak alone',
    ])
    const reached = Object.entries({ ...basic.services, ...fullStack.services }).flatMap(([name, { networks }]) =>
      Array.isArray(networks) && networks.includes('keycloak') ? [name] : [],
    )
    expect([reached, database!.networks]).toEqual([['keycloak', 'keycloak-database'], ['keycloak']])
  })

  it('keeps the sandbox of the browser: the profile exists at the path in compose.yaml', () => {
    const profileOption = basic.services.worker!.security_opt!.find((option) => option.startsWith('seccomp='))!
    const profile = JSON.parse(readFileSync(join(folder, profileOption.slice('seccomp='.length)), 'utf8')) as {
      defaultAction: string
      syscalls: { names: string[]; action: string; args?: unknown[]; includes?: object; excludes?: object }[]
    }
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO')
    const ownRule = profile.syscalls.at(-1)!
    expect([ownRule.action, ownRule.names]).toEqual(['SCMP_ACT_ALLOW', ['chroot', 'clone', 'clone3', 'unshare']])
    // A second rule for one of them would override the refusal.
    const otherNames = profile.syscalls.slice(0, -1).flatMap(({ names }) => names)
    expect(ownRule.names.filter((name) => otherNames.includes(name))).toEqual([])
  })
})
