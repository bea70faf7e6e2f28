import type { Config } from '../config.ts'
import { realmPath } from '../idp/realm.ts'

export type ServerFacts = { issuer: string; localUrl: string; publicUrl: string; embedded: boolean; databaseUrl: string }

const wildcardHosts = new Set(['0.0.0.0', '::'])

/** The server's URL when none is configured. */
function buildLocalUrl(config: Config, port: number): string {
  const localHost = wildcardHosts.has(config.CLEARWAY_HOST) ? 'localhost' : config.CLEARWAY_HOST
  return `http://${localHost.includes(':') ? `[${localHost}]` : localHost}:${port}`
}

export function createServerFacts(config: Config, port: number, databaseUrl: string): ServerFacts {
  const localHost = wildcardHosts.has(config.CLEARWAY_HOST) ? '127.0.0.1' : config.CLEARWAY_HOST
  const publicUrl = config.CLEARWAY_PUBLIC_URL ?? buildLocalUrl(config, port)
  const externalIssuer = config.CLEARWAY_OIDC_ISSUER
  return {
    issuer: externalIssuer ?? publicUrl + realmPath,
    localUrl: buildLocalUrl({ ...config, CLEARWAY_HOST: localHost }, port),
    publicUrl,
    embedded: externalIssuer === null && config.CLEARWAY_ROLES.includes('idp'),
    databaseUrl,
  }
}
