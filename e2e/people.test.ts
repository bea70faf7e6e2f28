/** @module-tag slow */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useMailServer } from '../packages/server/test/mail-server.ts'
import { signIn } from './product/client.ts'
import {
  enrollSecondFactor,
  firstAdmin,
  createFirstAdmin,
  deletePerson,
  type House,
  importPeople,
  invitePerson,
  removeSecondFactor,
  managePeople,
  editOwnAccount,
  manageTeams,
} from './walk/people.ts'
import { chooseMails } from './walk/own-mail.ts'
import { usePasskey } from './walk/passkey.ts'
import { newPage, openBrowser } from './screen/looks.ts'
import { adminPassword, findFreePort, type Product, startProduct } from './product/start.ts'

const { url: mailUrl, mails } = await useMailServer()
const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-people-'))
let product: Product
let house: House
beforeAll(async () => {
  product = await startProduct({
    data: dataFolder,
    port: await findFreePort(),
    env: { CLEARWAY_ADMIN_PASSWORD: '', CLEARWAY_ROLES: 'api,account,idp' },
  })
  const setup = /^Create the first administrator: (\S+)$/m.exec(product.output())![1]!
  const browser = await openBrowser()
  house = { url: product.url, setup, browser, page: await newPage(browser) }
})
afterAll(async () => {
  await house.browser.close()
  await product.stop()
  rmSync(dataFolder, { recursive: true, force: true })
})

describe('people and teams', () => {
  it('create the first administrator by the link that the start prints', () => createFirstAdmin(house))
  it('invite a user by a link to pass on', () => invitePerson(house))
  it('change roles, deactivate and reactivate', () => managePeople(house))
  it('remove a second factor that a user has lost', () => removeSecondFactor(house))
  it('invite many by a file', () => importPeople(house))
  it('make, rename and delete a team, with the access that it gave', async () => {
    const client = await signIn(product.url, firstAdmin.email, firstAdmin.password)
    await client('POST', '/scans', { name: 'Shop', urls: ['https://example.org/'] })
    await manageTeams(house)
  })
  it('delete a user, and keep past actions', () => deletePerson(house))
  it('keep an account with a second factor, and see where they are signed in', () => editOwnAccount(house))
  it('set a second factor up when their role needs it, and use a passkey', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clearway-second-'))
    const port = await findFreePort()
    // Passkeys need a host name.
    const url = `http://localhost:${port}`
    const env = { CLEARWAY_ROLES: 'api,account,idp', CLEARWAY_ADMIN_SECOND_FACTOR: 'true', CLEARWAY_PUBLIC_URL: url }
    const strict = await startProduct({ data: folder, port, env })
    try {
      const admin = { email: 'admin', password: adminPassword }
      const codes = await enrollSecondFactor(url, house.browser, admin)
      await usePasskey(url, house.browser, { ...admin, codes })
    } finally {
      await strict.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
  it('choose which mails they get', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clearway-mails-'))
    const env = { CLEARWAY_ROLES: 'api,account,idp', CLEARWAY_SMTP_URL: mailUrl }
    const mailing = await startProduct({ data: folder, port: await findFreePort(), env })
    try {
      await chooseMails({ url: mailing.url, browser: house.browser, mails, password: adminPassword })
    } finally {
      await mailing.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
  it('need no other link once an administrator exists', () => {
    expect(product.output().match(/Create the first administrator/g)).toHaveLength(1)
  })
})
