import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useTestApi } from '../../test/api.ts'
import { useMailServer } from '../../test/mail-server.ts'
import { type Config, readConfig } from '../config.ts'
import { getSystemHealth } from '../monitor/health/service.ts'
import { createOutsideChecks, logOutsideProblems } from './outside.ts'

const api = useTestApi()
const mailServer = await useMailServer()
let issuerServer: Server
let issuer = ''
beforeAll(async () => {
  issuerServer = createServer((request, response) => {
    const named = request.url!.startsWith('/realms/right/') ? `${issuer}/realms/right` : 'https://other.example'
    if (request.url!.startsWith('/realms/none/')) response.statusCode = 404
    response.end(JSON.stringify({ issuer: named }))
  })
  await new Promise<void>((resolve) => void issuerServer.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(issuerServer.address() as AddressInfo).port}`
})
afterAll(() => void issuerServer.close())

/** Health with these settings, and what the start logs. */
async function readOutsideHealth(environment: Record<string, string>) {
  const checks = createOutsideChecks(readConfig(environment) as Config)
  const warnings: string[] = []
  await logOutsideProblems(checks, (_level, message, fields) => void warnings.push(`${message}: ${String(fields?.detail)}`))
  const { status, details } = await getSystemHealth({
    db: api.db,
    version: '0',
    build: '0',
    dataFolder: '/',
    checkMailServer: checks.mail,
    checkIdentityProvider: checks.signIn,
    migrations: () => Promise.resolve([]),
    processes: () => [],
  })
  return { status, mail: details.mail, signIn: details.signIn, warnings }
}

it('says that mail server and identity provider can be used, or are not set', async () => {
  expect(await readOutsideHealth({})).toMatchObject({ mail: { status: 'UNKNOWN' }, signIn: { status: 'UP' }, warnings: [] })
  const environment = { CLEARWAY_SMTP_URL: mailServer.url, CLEARWAY_OIDC_ISSUER: `${issuer}/realms/right` }
  expect(await readOutsideHealth(environment)).toMatchObject({ mail: { status: 'UP' }, signIn: { status: 'UP' }, warnings: [] })
})

it('names what is wrong with them, in health and at the start', async () => {
  const environment = {
    CLEARWAY_SMTP_URL: 'smtp://ann:hush@127.0.0.1:9',
    CLEARWAY_OIDC_ISSUER: 'http://127.0.0.1:9/realms/right',
  }
  const health = await readOutsideHealth(environment)
  expect(health).toMatchObject({
    status: 'DEGRADED',
    mail: { status: 'DOWN', message: expect.stringContaining('ECONNREFUSED') as string },
    signIn: { status: 'DOWN', message: expect.stringMatching(/bad port|ECONNREFUSED/) as string },
    warnings: [
      expect.stringMatching(/^mail server cannot be used: .*Check CLEARWAY_SMTP_URL/),
      expect.stringMatching(/^identity provider cannot be used: .*Check CLEARWAY_OIDC_ISSUER/),
    ],
  })
  expect(JSON.stringify(health)).not.toContain('hush')
  expect(await readOutsideHealth({ CLEARWAY_OIDC_ISSUER: `${issuer}/realms/none` })).toMatchObject({
    signIn: { message: 'The identity provider cannot be used: it returns status 404' },
  })
  expect(await readOutsideHealth({ CLEARWAY_OIDC_ISSUER: `${issuer}/realms/wrong` })).toMatchObject({
    signIn: { message: 'The identity provider cannot be used: its discovery document names another issuer' },
  })
})
