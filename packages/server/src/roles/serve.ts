import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { openLive } from '../kit/live.ts'
import { openServer } from '../kit/http/server.ts'
import { identify, providerKeys, type TokenRules } from '../kit/http/token.ts'
import { startAccount } from './account.ts'
import { startApi } from './api.ts'
import { openMonitorDatabase, startDatabase } from './database.ts'
import { type IdpRole, startIdp } from './idp.ts'
import { prepareWeb, webRoutes } from './web.ts'
import { startWorker } from './worker.ts'
import { realmPath } from '../idp/provider.ts'

export type Serving = { url: string; stop: () => Promise<void> }

const wildcards = new Set(['0.0.0.0', '::'])

/** The address that people use, when the settings name none. */
function ownUrl(config: Config, port: number): string {
  const host = wildcards.has(config.CLEARWAY_HOST) ? 'localhost' : config.CLEARWAY_HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function version(): string {
  const file = new URL('../../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** Things to end, last started first. Each is tried, whatever becomes of the others. */
function stopList() {
  const list: (() => Promise<void> | void)[] = []
  return {
    add: (stop: () => Promise<void> | void) => void list.unshift(stop),
    run: async () => {
      for (const stop of list.splice(0)) await Promise.resolve(stop()).catch(() => undefined)
    },
  }
}

function tokenRules(
  config: Config,
  facts: { issuer: string; localUrl: string; embedded: boolean },
): TokenRules {
  // The embedded provider is in this process: its keys are asked for here, whatever its public address is.
  const local = facts.embedded ? `${facts.localUrl}${realmPath}/protocol/openid-connect/certs` : null
  return {
    issuer: facts.issuer,
    audience: config.CLEARWAY_OIDC_AUDIENCE,
    algorithms: config.CLEARWAY_OIDC_ALGORITHMS,
    roleClaim: config.CLEARWAY_OIDC_ROLE_CLAIM,
    resource: config.CLEARWAY_OIDC_RESOURCE,
    keys: providerKeys({ issuer: facts.issuer, jwksUrl: config.CLEARWAY_OIDC_JWKS_URL ?? local }),
  }
}

/** Listens first, so that a port in use is known before a database is touched; routes come before the first answer. */
async function takePort(config: Config): Promise<number> {
  const { createServer } = await import('node:net')
  const probe = createServer()
  await new Promise<void>((done, fail) =>
    probe.once('error', fail).listen(config.CLEARWAY_PORT, config.CLEARWAY_HOST, done),
  )
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  return typeof address === 'object' && address ? address.port : config.CLEARWAY_PORT
}

function announce(config: Config, url: string, admin: IdpRole['admin'] | null, seconds: number): void {
  const after = `(after ${seconds.toFixed(1)} s). Ctrl-C stops it.`
  const hasWeb = config.CLEARWAY_ROLES.includes('api')
  const what = hasWeb
    ? `Clearway is ready at ${url}/monitor`
    : `Clearway is ready as ${config.CLEARWAY_ROLES.join(', ')}`
  const lines = [`${what} ${after}`]
  if (admin) {
    const how = {
      setting: () => 'the password of CLEARWAY_ADMIN_PASSWORD',
      file: (file: string) => `the password in ${file}`,
      earlier: (file: string) => `your password (the first one was kept in ${file})`,
    }
    const { password } = admin
    lines.push(
      `Sign in as ${admin.username} with ${password.from === 'setting' ? how.setting() : how[password.from](password.file)}.`,
    )
  }
  console.log(lines.join('\n'))
}

/**
 * Starts the roles of the settings in this process.
 * @returns the address, and how to stop everything: work is given back, then the database ends
 */
export async function serve(config: Config): Promise<Serving> {
  const began = performance.now()
  const stops = stopList()
  try {
    const roles = new Set(config.CLEARWAY_ROLES)
    const port = await takePort(config)
    const localHost = wildcards.has(config.CLEARWAY_HOST) ? '127.0.0.1' : config.CLEARWAY_HOST
    const localUrl = ownUrl({ ...config, CLEARWAY_HOST: localHost }, port)
    const publicUrl = config.CLEARWAY_PUBLIC_URL ?? ownUrl(config, port)
    const web = roles.has('api') ? prepareWeb() : null
    if (web) stops.add(web.stop)
    const database = await startDatabase(config)
    stops.add(database.stop)
    const db = await openMonitorDatabase(config, database.url)
    stops.add(() => db.destroy())
    const issuer = config.CLEARWAY_OIDC_ISSUER ?? publicUrl + realmPath
    const rules = tokenRules(config, {
      issuer,
      localUrl,
      embedded: config.CLEARWAY_OIDC_ISSUER === null && roles.has('idp'),
    })
    const connect = [issuer, config.CLEARWAY_ACCOUNT_URL ?? publicUrl].map((url) => new URL(url).origin)
    const app: FastifyInstance = await openServer({ logLevel: config.CLEARWAY_LOG_LEVEL, connect })
    const live = await openLive(database.url, (message) => app.log.warn(message))
    stops.add(live.stop)
    const who = (request: Parameters<typeof identify>[1]) => identify(rules, request)
    let idp: IdpRole | null = null
    if (roles.has('idp') && config.CLEARWAY_OIDC_ISSUER === null) {
      idp = await startIdp(app, { config, databaseUrl: database.url, publicUrl })
      stops.add(idp.stop)
    }
    if (roles.has('account') && config.CLEARWAY_ACCOUNT_URL === null)
      stops.add((await startAccount(app, { config, databaseUrl: database.url, identify: who })).stop)
    if (roles.has('api')) {
      const facts = { issuer, version: version(), build: version() }
      await startApi(app, { config, db, identify: who, facts, live })
      await webRoutes(app, { state: web!.state, publicUrl })
    }
    await app.listen({ port, host: config.CLEARWAY_HOST })
    stops.add(() => app.close())
    if (roles.has('worker')) {
      const log = (level: 'info' | 'warn' | 'error', message: string) => app.log[level](message)
      stops.add((await startWorker({ db, config, live, log })).stop)
    }
    // Ready is when people can use it.
    await web?.done
    const built = web?.state()
    if (built?.kind === 'failed')
      console.error(`The web application could not be built; the API works.\n${built.message}`)
    announce(config, publicUrl, idp?.admin ?? null, (performance.now() - began) / 1000)
    return { url: publicUrl, stop: stops.run }
  } catch (error) {
    await stops.run()
    throw error
  }
}
