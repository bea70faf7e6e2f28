import { readFileSync } from 'node:fs'
import http from 'node:http'
import tls from 'node:tls'
import { splitCertificates } from '@clearway/contract/kit/certificate.ts'
import { setOutboundProxy } from '@clearway/engine/guard/outbound-proxy.ts'
import type { Config } from '../config.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'

/** Trusts additional authorities for every TLS connection of this process. */
function trustAuthorities(caFile: string): void {
  try {
    const certificates = splitCertificates(readFileSync(caFile, 'utf8'))
    if (certificates.length === 0) throw new Error('it contains no certificate in PEM format')
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...certificates])
  } catch (error) {
    throw new ClusterError(`CLEARWAY_CA_FILE: ${caFile} cannot be used: ${(error as Error).message}.`)
  }
}

const loopbackHosts = ['localhost', '127.0.0.1', '::1']

/** Sends outgoing connections of this process through a proxy: scans and webhooks by their guard, other calls by Node. */
function useProxy(proxyUrl: string, config: Config): void {
  const { username, password } = new URL(proxyUrl)
  try {
    decodeURIComponent(username + password)
  } catch {
    throw new ClusterError('CLEARWAY_PROXY_URL: % in the user name or the password is written %25.')
  }
  const directHosts = [...loopbackHosts, config.CLEARWAY_HOST, ...config.CLEARWAY_PROXY_EXCEPT]
  setOutboundProxy({ url: new URL(proxyUrl), directHosts, resolvesNames: config.CLEARWAY_PROXY_NAMES })
  http.setGlobalProxyFromEnv({ http_proxy: proxyUrl, https_proxy: proxyUrl, no_proxy: directHosts.join(',') })
}

/** Applies the settings of the network to this process, before its first connection. @throws ClusterError for an unusable file */
export function applyNetworkSettings(config: Config): void {
  if (config.CLEARWAY_CA_FILE !== null) trustAuthorities(config.CLEARWAY_CA_FILE)
  if (config.CLEARWAY_PROXY_URL !== null) useProxy(config.CLEARWAY_PROXY_URL, config)
}
