import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { computeTotpCode } from '../../packages/server/src/idp/totp.ts'
import { expectAccessible } from '../screen/accessible.ts'
import { createCaller } from '../product/client.ts'
import type { Account } from '../walk/identity.ts'
import { closeMessage } from '../screen/looks.ts'
import { getHeading, giveViewAccess } from '../walk/people.ts'
import { addUser, changeRole, type Keycloak, putGroupsIntoTokens, readServiceSecret, findUserId } from './server.ts'

type Walk = {
  newPage: () => Promise<Page>
  url: string
  keycloak: Keycloak
  fillIn: (page: Page, account: Account) => Promise<void>
  admin: Account
  step: (name: string, work: () => Promise<void>) => Promise<void>
}

const ben: Account = { username: 'ben', password: 'ben-password-1' }
const carl: Account = { username: 'carl', password: 'carl-password-1' }
const dora: Account = { username: 'dora', password: 'dora-password-1' }

async function signInAs({ newPage, url, fillIn }: Walk, account: Account): Promise<Page> {
  const page = await newPage()
  await page.goto(`${url}/monitor`)
  await fillIn(page, account)
  return page
}

/** Calls the API with the page's current token. */
const createPageCaller = (page: Page, url: string) =>
  createCaller(`${url}/monitor-api`, () =>
    page.evaluate(() => (JSON.parse(sessionStorage.getItem('monitor.tokens') ?? '{}') as { access: string }).access),
  )

/** Waits for an effect that another service causes later. */
async function waitUntil(description: string, work: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 150_000; performance.now() < deadline; await sleep(1000)) if (await work()) return
  throw new Error(`Not within 150 seconds: ${description}`)
}

const fetchStatus = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/monitor-public-api/v1/scans`, { headers: { 'x-api-key': key } })).status

const createApiKey = async (page: Page, url: string): Promise<string> => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { name: 'For the build', scopes: ['read'], expiresAt }
  return (await createPageCaller(page, url)<{ key: string }>('POST', '/api-keys', body)).key
}

/** Windows of an administrator and of a user without that role. */
type Windows = { admins: Page; bens: Page }

/** Their identities, as the provider knows them. */
async function walkAccounts(walk: Walk, { admins, bens }: Windows): Promise<void> {
  const { url, keycloak, step } = walk
  await step('signs a user in by the second factor of the provider', async () => {
    await bens.goto(`${url}/monitor`)
    await walk.fillIn(bens, ben)
    await bens.locator('#mode-manual').click()
    const secret = (await bens.locator('#kc-totp-secret-key').innerText()).replaceAll(' ', '')
    await bens.locator('#totp').fill(computeTotpCode(secret, Math.floor(Date.now() / 30_000)))
    await bens.locator('#saveTOTPBtn').click()
    await getHeading(bens, 'Scans')
  })
  await step('names the provider in My account, and links to it', async () => {
    await bens.goto(`${url}/monitor/account`)
    await bens.getByText('Your identity provider keeps your account').waitFor()
    assert.equal(await bens.getByLabel('New password').count(), 0)
    await expectAccessible(bens)
    await bens.getByRole('link', { name: 'Open the identity provider' }).click()
    await bens.waitForURL((location) => location.href.startsWith(`${keycloak.issuer}/account`))
    await bens.goto(`${url}/monitor`)
    await getHeading(bens, 'Scans')
  })
  await step('lists signed-in users with the roles of the provider, read-only', async () => {
    const carls = await signInAs(walk, carl)
    await getHeading(carls, 'Scans')
    await carls.context().close()
    await admins.goto(`${url}/monitor/admin/people`)
    await admins.getByRole('row', { name: /ada Test.*Administrator/i }).waitFor()
    await admins.getByRole('row', { name: /ben Test.*ben@example\.org/i }).waitFor()
    assert.equal(await admins.getByRole('button', { name: 'Invite a person' }).count(), 0)
    assert.equal(await admins.getByRole('button', { name: /^Actions for/ }).count(), 0)
    await expectAccessible(admins)
    const link = admins.getByRole('link', { name: 'Open the identity provider' })
    assert.equal((await fetch((await link.getAttribute('href'))!)).status, 200)
  })
}

/** Their access through Clearway's teams. */
async function walkTeams({ url, keycloak, step }: Walk, { admins, bens }: Windows): Promise<void> {
  const { ask: callKeycloak } = keycloak
  await step('adds them to Clearway teams, and gives these access', async () => {
    const scan = { name: 'Shop', urls: ['https://example.org/'] }
    await createPageCaller(admins, url)('POST', '/scans', scan)
    await admins.goto(`${url}/monitor/admin/teams/new`)
    await admins.getByLabel('Name', { exact: true }).fill('Editors')
    await admins.getByLabel('ben Test (ben)').check()
    await admins.getByRole('button', { name: 'Save', exact: true }).click()
    await closeMessage(admins, 'Team saved: Editors')
    await giveViewAccess(admins, url, 'Editors', 'Shop')
    await waitUntil('the scan of the team is listed', async () => {
      await bens.goto(`${url}/monitor`)
      await getHeading(bens, 'Scans')
      await bens.waitForLoadState('networkidle')
      return (await bens.getByRole('link', { name: 'Shop', exact: true }).count()) > 0
    })
  })
  await step('reads the teams, and nothing else, by the client of the product', async () => {
    const reply = await fetch(`${keycloak.issuer}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'clearway-service',
        client_secret: await readServiceSecret(callKeycloak),
      }),
    })
    const { access_token: token } = (await reply.json()) as { access_token: string }
    const callWithToken = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    const teams = (await (await callWithToken('/axe-account/teams-by-ids?all=true')).json()) as {
      name: string
      members: { email: string | null }[]
    }[]
    assert.deepEqual(
      teams.map(({ name, members }) => [name, members.map(({ email }) => email)]),
      [['Editors', ['ben@example.org']]],
    )
    assert.equal((await callWithToken('/monitor-api/scans')).status, 403)
    assert.equal((await callWithToken('/axe-account/people')).status, 403)
  })
}

/** End of access, on the provider's decision. */
async function walkEnds(walk: Walk, { bens }: Windows): Promise<void> {
  const { url, keycloak, step } = walk
  const { ask: callKeycloak } = keycloak
  await step('ends keys and access when the provider takes the role away', async () => {
    const key = await createApiKey(bens, url)
    assert.equal(await fetchStatus(url, key), 200)
    await changeRole(callKeycloak, 'DELETE', ben.username, 'access')
    // The session continues: the next token carries the person's current rights.
    await waitUntil('the person is told that there is no access', async () => {
      await bens.goto(`${url}/monitor`)
      await bens.getByRole('heading', { name: /^(Scans|Unauthorized)$/ }).waitFor()
      await bens.waitForLoadState('networkidle')
      return (await bens.getByRole('heading', { name: 'Unauthorized' }).count()) > 0
    })
    assert.equal(await fetchStatus(url, key), 401)
    await changeRole(callKeycloak, 'POST', ben.username, 'access')
  })
  await step('signs out a user that the provider disables, within the lifetime of a token', async () => {
    const carls = await signInAs(walk, carl)
    await getHeading(carls, 'Scans')
    const id = await findUserId(callKeycloak, carl.username)
    const user = await callKeycloak<object>('GET', `/users/${id}`)
    await callKeycloak('PUT', `/users/${id}`, { ...user, enabled: false })
    await waitUntil('the person is asked to sign in', async () => {
      await carls.goto(`${url}/monitor`)
      await carls.waitForLoadState('networkidle')
      return carls.url().startsWith(keycloak.url)
    })
    await carls.context().close()
  })
}

/** People managed by the provider: their identity, their rights, their second factor, and the end of access. */
export async function walkPeople(walk: Walk): Promise<void> {
  const { ask: callKeycloak } = walk.keycloak
  await addUser(callKeycloak, ben, { requiredActions: ['CONFIGURE_TOTP'] })
  await addUser(callKeycloak, carl)
  for (const { username } of [ben, carl]) await changeRole(callKeycloak, 'POST', username, 'access')
  const admins = await signInAs(walk, walk.admin)
  await getHeading(admins, 'Scans')
  const windows = { admins, bens: await walk.newPage() }
  await walkAccounts(walk, windows)
  await walkTeams(walk, windows)
  await walkEnds(walk, windows)
  for (const page of Object.values(windows)) await page.context().close()
}

/** Roles by the provider's groups, as mapped by the settings. */
export async function walkGroups(walk: Walk): Promise<void> {
  const { url, keycloak, step } = walk
  const { ask: callKeycloak } = keycloak
  await putGroupsIntoTokens(callKeycloak)
  await callKeycloak('POST', '/groups', { name: 'staff' })
  const [staff] = await callKeycloak<{ id: string }[]>('GET', '/groups?search=staff')
  await callKeycloak('POST', `/groups/${staff!.id}/children`, { name: 'it' })
  await addUser(callKeycloak, dora, { groups: ['/staff/it'] })
  await step('gives the role that the settings name for a group', async () => {
    const page = await signInAs(walk, dora)
    await getHeading(page, 'Scans')
    await page.goto(`${url}/monitor/admin/people`)
    await page.getByRole('row', { name: /dora Test.*Administrator/i }).waitFor()
    await page.context().close()
  })
  await step('gives none for a role that is not in the settings', async () => {
    const page = await signInAs(walk, walk.admin)
    await page.getByRole('heading', { name: 'Unauthorized' }).waitFor()
    await page.context().close()
  })
}
