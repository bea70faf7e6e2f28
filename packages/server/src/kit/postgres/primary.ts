import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** One server of a cluster of PostgreSQL. */
type Host = { host: string; port: number }

/** An address that names several servers: each alone, in their order. One that names one: itself. */
export function urlsOf(url: string): string[] {
  const start = url.indexOf('://') + 3
  const end = start + (url.slice(start) + '/').search(/[/?#]/)
  const authority = url.slice(start, end)
  const at = authority.lastIndexOf('@') + 1
  const [before, after] = [url.slice(0, start + at), url.slice(end)]
  return authority
    .slice(at)
    .split(',')
    .map((host) => before + host + after)
}

const hostOf = (url: string): Host => {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 5432 : Number(port) }
}

/** No server of the cluster takes writes: code of the standard for a connection that cannot be made. */
const noPrimary = () =>
  Object.assign(new Error('None of the servers of DATABASE_URL takes writes.'), { code: '08001' })

const probeMs = 3000
const patienceMs = 12_000
const pauseMs = 300

/** The address when its server takes writes. @throws when it does not, or does not answer */
async function writable(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ reads: string }>(
      `select current_setting('transaction_read_only') as reads`,
    )
    if (rows[0]?.reads !== 'off') throw noPrimary()
    return url
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Which server takes writes, as far as is known. Everybody in this process who asks at the same time asks once. */
function primaryOf(urls: readonly string[]) {
  let found: Promise<Host> | null = null
  async function find(): Promise<Host> {
    for (const start = Date.now(); ; await sleep(pauseMs)) {
      const url = await Promise.any(urls.map(writable)).catch(() => null)
      if (url !== null) return hostOf(url)
      if (Date.now() - start > patienceMs) throw noPrimary()
    }
  }
  const forget = () => void (found = null)
  const get = () => {
    if (found) return found
    const asked = find()
    asked.catch(() => {
      if (found === asked) forget()
    })
    return (found = asked)
  }
  return { get, forget }
}
const primaries = new Map<string, ReturnType<typeof primaryOf>>()

/** Asks anew which server takes writes: the one that did has become a replica. */
export const forgetPrimary = (url: string): void => primaries.get(url)?.forget()

/**
 * The driver's client, for an address that may name several servers: it connects to the one that takes writes, and waits for
 * one a few seconds while they change places. Its options are the driver's, with the address of `connectionOf`.
 */
export function clientOf(url: string): typeof pg.Client {
  const urls = urlsOf(url)
  if (urls.length === 1) return pg.Client
  const primary = primaries.get(url) ?? primaryOf(urls)
  primaries.set(url, primary)
  type Done = (error: Error | null, client?: pg.Client) => void
  class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(done: Done): void
    override connect(done?: Done): Promise<pg.Client> | void {
      const connected = primary.get().then(async (host) => {
        Object.assign(this, host)
        await super.connect().catch((error: unknown) => {
          primary.forget()
          throw error
        })
        return this as pg.Client
      })
      if (!done) return connected
      connected.then(
        (client) => done(null, client),
        (error: Error) => done(error),
      )
    }
  }
  return PrimaryClient
}

/** The address that the client of `clientOf` is given. */
export const connectionOf = (url: string): string => urlsOf(url)[0]!
