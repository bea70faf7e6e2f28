import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from '@clearway/engine/browser/find-browser.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Account, walkIdentity } from '../walk/identity.ts'
import { findFreePort, startProduct } from '../product/start.ts'
import { walkGroups, walkPeople } from './people.ts'
import { addUser, changeRole, type Keycloak, rotateKeys, readServiceSecret, startKeycloak, version } from './server.ts'

/** Walks sign-in and people on a real Keycloak: `npm run test:keycloak`. Needs Java 17 or newer, and Maven. */
const root = join(import.meta.dirname, '../..')
const admin: Account = { username: 'ada', password: 'ada-password-1' }
const stranger: Account = { username: 'stranger', password: 'nobody has let me in' }

const hasCommand = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0

async function fillIn(page: Page, account: Account): Promise<void> {
  await page.locator('#username').fill(account.username)
  await page.locator('#password').fill(account.password)
  await page.locator('#kc-login').click()
}

async function runStep(name: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now()
  await work()
  console.log(`ok ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
}

async function openBrowser(): Promise<Browser> {
  const foundBrowser = await findBrowser({
    setting: process.env.CLEARWAY_BROWSER ?? null,
    cacheFolder: join(root, '.cache'),
    sandbox: false,
  })
  if (!foundBrowser.found) throw new Error(`No browser starts. ${foundBrowser.remedy}`)
  return chromium.launch({
    executablePath: foundBrowser.facts.path,
    args: ['--no-sandbox'],
    env: { ...process.env, ...foundBrowser.facts.env } as Record<string, string>,
  })
}

async function walkKeycloak(folder: string, keycloak: Keycloak, port: number, browser: Browser): Promise<void> {
  const { ask: callKeycloak } = keycloak
  // Short lifetimes, so that a minute shows what otherwise takes hours.
  await callKeycloak('PUT', '', { accessTokenLifespan: 60, ssoSessionIdleTimeout: 120 })
  await addUser(callKeycloak, admin)
  await changeRole(callKeycloak, 'POST', admin.username, 'admin')
  await addUser(callKeycloak, stranger)
  const env = {
    CLEARWAY_OIDC_ISSUER: keycloak.issuer,
    CLEARWAY_ROLES: 'api,account',
    CLEARWAY_SERVICE_SECRET: await readServiceSecret(callKeycloak),
  }
  const newPage = async () => (await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })).newPage()
  const dataFolder = join(folder, 'data')
  const withProduct = async (extraEnvironment: Record<string, string>, work: (url: string) => Promise<void>) => {
    const product = await startProduct({ data: dataFolder, port, env: { ...env, ...extraEnvironment } })
    try {
      await work(product.url)
    } catch (error) {
      console.error(product.output())
      // The URLs and texts of the open windows help to find the cause.
      for (const page of browser.contexts().flatMap((context) => context.pages()))
        console.error(page.url(), await page.innerText('body').catch(String))
      throw error
    } finally {
      await product.stop()
    }
  }
  const provider = { fillIn, admin, stranger, leapMs: null, rotateKeys: () => rotateKeys(callKeycloak) }
  await withProduct({ CLEARWAY_TERMS_REQUIRED: 'true' }, (url) => walkIdentity({ newPage, url, provider, step: runStep }))
  await callKeycloak('PUT', '', { ssoSessionIdleTimeout: 1800 })
  await withProduct({}, (url) => walkPeople({ newPage, url, keycloak, fillIn, admin, step: runStep }))
  const groups = { CLEARWAY_OIDC_ROLE_CLAIM: 'groups', CLEARWAY_OIDC_ROLE_MAP: '/staff/a11y=access,/staff/it=admin' }
  await withProduct(groups, (url) => walkGroups({ newPage, url, keycloak, fillIn, admin, step: runStep }))
}

if (!hasCommand('java', '-version') || !hasCommand('jar', '--version') || !hasCommand('mvn', '-v')) {
  console.log('Skipped: the walk on a real Keycloak needs a JDK (17 or newer) and Maven.')
} else {
  const folder = mkdtempSync(join(tmpdir(), 'clearway-keycloak-'))
  try {
    const port = await findFreePort()
    const keycloak = await startKeycloak(folder, `http://127.0.0.1:${port}`)
    try {
      const browser = await openBrowser()
      try {
        await walkKeycloak(folder, keycloak, port, browser)
      } finally {
        await browser.close()
      }
    } finally {
      await keycloak.stop()
    }
    console.log(`Keycloak ${version} does all that the product asks of an identity provider.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
