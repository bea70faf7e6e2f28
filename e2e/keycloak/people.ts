import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { totpCode } from '../../packages/server/src/idp/totp.ts'
import { expectAccessible } from '../screen/accessible.ts'
import { callerOf } from '../product/client.ts'
import type { Account } from '../walk/identity.ts'
import { confirmed } from '../screen/looks.ts'
import { getHeading, giveViewAccess } from '../walk/people.ts'
import { addUser, changeRole, type Keycloak, putGroupsIntoTokens, serviceSecret, userId } from './server.ts'

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

async function signIn({ newPage, url, fillIn }: Walk, account: Account): Promise<Page> {
  const page = await newPage()
  await page.goto(`${url}/monitor`)
  await fillIn(page, account)
  return page
}

/** Calls the API with the token that the page has by then. */
const callerOn = (page: Page, url: string) =>
  callerOf(`${url}/monitor-api`, () =>
    page.evaluate(
      () => (JSON.parse(sessionStorage.getItem('monitor.tokens') ?? '{}') as { access: string }).access,
    ),
  )

/** Waits for what another service makes true in its own time. */
async function until(what: string, work: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 150_000; performance.now() < end; await sleep(1000))
    if (await work()) return
  throw new Error(`Not within 150 seconds: ${what}`)
}

const statusOf = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/monitor-public-api/v1/scans`, { headers: { 'x-api-key': key } })).status

const makeKey = async (page: Page, url: string): Promise<string> => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { name: 'For the build', scopes: ['read'], expiresAt }
  return (await callerOn(page, url)<{ key: string }>('POST', '/api-keys', body)).key
}

/** The windows of an administrator and of somebody who is none. */
type Windows = { admins: Page; bens: Page }

/** Who they are, as the provider knows it. */
async function walkAccounts(walk: Walk, { admins, bens }: Windows): Promise<void> {
  const { url, keycloak, step } = walk
  await step('lets somebody in by the second factor of the provider', async () => {
    await bens.goto(`${url}/monitor`)
    await walk.fillIn(bens, ben)
    await bens.locator('#mode-manual').click()
    const secret = (await bens.locator('#kc-totp-secret-key').innerText()).replaceAll(' ', '')
    await bens.locator('#totp').fill(totpCode(secret, Math.floor(Date.now() / 30_000)))
    await bens.locator('#saveTOTPBtn').click()
    await getHeading(bens, 'Scans')
  })
  await step('says in My account who keeps it, and leads there', async () => {
    await bens.goto(`${url}/monitor/account`)
    await bens.getByText('Your identity provider keeps your account').waitFor()
    assert.equal(await bens.getByLabel('New password').count(), 0)
    await expectAccessible(bens)
    await bens.getByRole('link', { name: 'Open the identity provider' }).click()
    await bens.waitForURL((at) => at.href.startsWith(`${keycloak.issuer}/account`))
    await bens.goto(`${url}/monitor`)
    await getHeading(bens, 'Scans')
  })
  await step('lists who has signed in, with the roles of the provider, for reading', async () => {
    const carls = await signIn(walk, carl)
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

/** What they may, by teams of ours. */
async function walkTeams({ url, keycloak, step }: Walk, { admins, bens }: Windows): Promise<void> {
  const { ask } = keycloak
  await step('puts them into teams, which are ours, and gives these access', async () => {
    const scan = { name: 'Shop', urls: ['https://example.org/'] }
    await callerOn(admins, url)('POST', '/scans', scan)
    await admins.goto(`${url}/monitor/admin/teams/new`)
    await admins.getByLabel('Name', { exact: true }).fill('Editors')
    await admins.getByLabel('ben Test (ben)').check()
    await admins.getByRole('button', { name: 'Save', exact: true }).click()
    await confirmed(admins, 'Team saved: Editors')
    await giveViewAccess(admins, url, 'Editors', 'Shop')
    await until('the scan of the team is listed', async () => {
      await bens.goto(`${url}/monitor`)
      await getHeading(bens, 'Scans')
      await bens.waitForLoadState('networkidle')
      return (await bens.getByRole('link', { name: 'Shop', exact: true }).count()) > 0
    })
  })
  await step('reads the teams by the client of the product, and nothing else', async () => {
    const reply = await fetch(`${keycloak.issuer}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'clearway-service',
        client_secret: await serviceSecret(ask),
      }),
    })
    const { access_token: token } = (await reply.json()) as { access_token: string }
    const call = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    const teams = (await (await call('/axe-account/teams-by-ids?all=true')).json()) as {
      name: string
      members: { email: string | null }[]
    }[]
    assert.deepEqual(
      teams.map(({ name, members }) => [name, members.map(({ email }) => email)]),
      [['Editors', ['ben@example.org']]],
    )
    assert.equal((await call('/monitor-api/scans')).status, 403)
    assert.equal((await call('/axe-account/people')).status, 403)
  })
}

/** How it ends, when the provider says so. */
async function walkEnds(walk: Walk, { bens }: Windows): Promise<void> {
  const { url, keycloak, step } = walk
  const { ask } = keycloak
  await step('ends keys and access when the provider takes the role away', async () => {
    const key = await makeKey(bens, url)
    assert.equal(await statusOf(url, key), 200)
    await changeRole(ask, 'DELETE', ben.username, 'access')
    // The session lives on: the next token says what its person may do.
    await until('the person is told that there is no access', async () => {
      await bens.goto(`${url}/monitor`)
      await bens.getByRole('heading', { name: /^(Scans|Unauthorized)$/ }).waitFor()
      await bens.waitForLoadState('networkidle')
      return (await bens.getByRole('heading', { name: 'Unauthorized' }).count()) > 0
    })
    assert.equal(await statusOf(url, key), 401)
    await changeRole(ask, 'POST', ben.username, 'access')
  })
  await step('signs somebody out whom the provider disables, within the life of a token', async () => {
    const carls = await signIn(walk, carl)
    await getHeading(carls, 'Scans')
    const id = await userId(ask, carl.username)
    const user = await ask<object>('GET', `/users/${id}`)
    await ask('PUT', `/users/${id}`, { ...user, enabled: false })
    await until('the person is asked to sign in', async () => {
      await carls.goto(`${url}/monitor`)
      await carls.waitForLoadState('networkidle')
      return carls.url().startsWith(keycloak.url)
    })
    await carls.context().close()
  })
}

/** People whom the provider manages: who they are, what they may, their second factor, and how they end. */
export async function walkPeople(walk: Walk): Promise<void> {
  const { ask } = walk.keycloak
  await addUser(ask, ben, { requiredActions: ['CONFIGURE_TOTP'] })
  await addUser(ask, carl)
  for (const { username } of [ben, carl]) await changeRole(ask, 'POST', username, 'access')
  const admins = await signIn(walk, walk.admin)
  await getHeading(admins, 'Scans')
  const windows = { admins, bens: await walk.newPage() }
  await walkAccounts(walk, windows)
  await walkTeams(walk, windows)
  await walkEnds(walk, windows)
  for (const page of Object.values(windows)) await page.context().close()
}

/** Roles by the groups of the provider, as the settings map them. */
export async function walkGroups(walk: Walk): Promise<void> {
  const { url, keycloak, step } = walk
  const { ask } = keycloak
  await putGroupsIntoTokens(ask)
  await ask('POST', '/groups', { name: 'staff' })
  const [staff] = await ask<{ id: string }[]>('GET', '/groups?search=staff')
  await ask('POST', `/groups/${staff!.id}/children`, { name: 'it' })
  await addUser(ask, dora, { groups: ['/staff/it'] })
  await step('gives the role that the settings name for a group', async () => {
    const page = await signIn(walk, dora)
    await getHeading(page, 'Scans')
    await page.goto(`${url}/monitor/admin/people`)
    await page.getByRole('row', { name: /dora Test.*Administrator/i }).waitFor()
    await page.context().close()
  })
  await step('gives none for a role that is not in the settings', async () => {
    const page = await signIn(walk, walk.admin)
    await page.getByRole('heading', { name: 'Unauthorized' }).waitFor()
    await page.context().close()
  })
}
