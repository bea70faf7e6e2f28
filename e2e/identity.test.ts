/** @module-tag slow */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn } from './product/client.ts'
import { walkIdentity } from './walk/identity.ts'
import { openBrowser } from './screen/looks.ts'
import { adminPassword, findFreePort, type Product, runCommand, startProduct } from './product/start.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-identity-'))
let product: Product
let port: number
let browser: Browser

const env = {
  CLEARWAY_TOKEN_SECONDS: '60',
  CLEARWAY_SESSION_MINUTES: '5',
  CLEARWAY_ROLES: 'api,account,idp,scheduler',
  CLEARWAY_TERMS_REQUIRED: 'true',
}
const runUserCommand = (...args: string[]) => runCommand(dataFolder, 'user', ...args)

beforeAll(async () => {
  port = await findFreePort()
  product = await startProduct({ data: dataFolder, port, env })
  runUserCommand('add', 'stranger', '--role', 'none', '--password', 'nobody has let me in')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  rmSync(dataFolder, { recursive: true, force: true })
})

it('the embedded identity provider supports every feature that the product uses', async () => {
  const steps: string[] = []
  const newPage = async () => (await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })).newPage()
  const provider = {
    fillIn: async (page: Awaited<ReturnType<typeof newPage>>, account: { username: string; password: string }) => {
      await page.getByLabel('User name').fill(account.username)
      await page.getByLabel('Password').fill(account.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    },
    admin: { username: 'admin', password: adminPassword },
    stranger: { username: 'stranger', password: 'nobody has let me in' },
    leapMs: 4.5 * 60_000,
    rotateKeys: async () => {
      runUserCommand('renew-keys')
      await product.stop()
      product = await startProduct({ data: dataFolder, port, env })
    },
  }
  const runStep = async (name: string, work: () => Promise<void>) => {
    await work().catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}`)
    })
    steps.push(name)
  }
  await walkIdentity({ newPage, url: product.url, provider, step: runStep })
  expect(steps).toHaveLength(7)
})

it('records sign-ins and consents in the audit log, with an intact chain', async () => {
  const client = await signIn(product.url, 'admin', adminPassword)
  type Entry = { number: number; action: string; noun: string; actor: string | null; actorName: string | null }
  const listEntries = async (noun: string) => (await client<{ content: Entry[] }>('GET', `/audit?size=500&noun=${noun}`)).content
  const [signIns, terms] = [await listEntries('sign-in'), await listEntries('terms')]
  expect(signIns.some(({ action, actorName }) => action === 'signed-in' && actorName !== null)).toBe(true)
  expect(terms.some(({ action, actor }) => action === 'agreed' && actor !== null)).toBe(true)
  // The server is still running, and seals the log every few seconds.
  let verifyOutput = ''
  const verifyLog = () => (verifyOutput = runCommand(dataFolder, 'audit', 'verify'))
  await expect
    .poll(verifyLog, { timeout: 60_000, interval: 2000 })
    .toMatch(
      /^The audit log is whole: \d+ entries, 1 to \d+\. The last hash is [0-9a-f]{64}\. Its seal covers the entries up to \d+\.$/m,
    )
  const lastEntryNumber = Number(/to (\d+)\./.exec(verifyOutput)?.[1])
  expect(lastEntryNumber).toBeGreaterThanOrEqual(Math.max(...[...signIns, ...terms].map(({ number }) => number)))
})
