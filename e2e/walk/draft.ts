import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { focused } from '../screen/keyboard.ts'
import { newPage } from '../screen/looks.ts'
import { adminPassword } from '../product/start.ts'
import type { Suite } from '../product/suite.ts'

/** As the screen shows it; screen readers announce it without the time. */
const savedNow = /Draft saved \d/
type Draft = { draft: { values: Record<string, unknown> } }

/** Deletes the draft of a new scan. Leaves the current screen first: it may have a draft to save. */
export async function withoutDraft({ page, product, client }: Suite): Promise<void> {
  await page.goto(`${product.url}/config`)
  await page.evaluate(() => localStorage.clear())
  await client('DELETE', '/scans/draft')
}

/** A form that is changed back to what it was has no draft any more. */
export async function draftChangedBack({ page, client, open }: Suite): Promise<void> {
  await open('/scans/new')
  const name = page.getByLabel('Name', { exact: true })
  const isDeleted = () => expect.poll(() => client('GET', '/scans/draft')).toEqual({ draft: null })
  await name.fill('Half done')
  await page.getByText(savedNow).waitFor()
  await name.fill('')
  await isDeleted()
  await page.getByText(savedNow).waitFor({ state: 'detached' })
  await name.fill('Half done')
  await page.getByText(savedNow).waitFor()
  await page.reload()
  const restored = page.getByText(/^Your draft of/)
  await restored.waitFor()
  await name.fill('')
  await isDeleted()
  await restored.waitFor({ state: 'detached' })
  await open('/scans')
  await page.getByRole('heading', { name: 'Scans', level: 1 }).waitFor()
  expect(await page.getByText('You began a new scan').count()).toBe(0)
}

/** Keeps a draft across a reload, without secrets, until it is discarded. */
export async function draftKept(suite: Suite): Promise<void> {
  const { page, client, open, heading, site } = suite
  await open('/scans/new')
  await page.getByLabel('Name', { exact: true }).fill('Half done')
  await page.getByLabel('Start URLs').fill(`${site.url}/`)
  await open('/scans/new?step=session')
  await page.getByLabel('Sign-in that the server asks for').selectOption('basic')
  await page.getByLabel('Password').fill('geheim')
  await page.getByText(savedNow).waitFor()
  await page.getByRole('status').getByText('Draft saved', { exact: true }).waitFor({ state: 'attached' })
  const kept = JSON.stringify(await client('GET', '/scans/draft'))
  expect(kept).toContain('Half done')
  expect(kept).not.toContain('geheim')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Half done')
  await page.reload()
  await page.getByText(/^Your draft of/).waitFor()
  await expect.poll(() => page.getByLabel('Sign-in that the server asks for').inputValue()).toBe('basic')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Scans' }).first().click()
  await page.getByRole('alertdialog', { name: 'Unsaved changes!' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Leave' }).click()
  await heading('Scans')
  await page.getByText('You began a new scan').waitFor()
  await page.getByRole('link', { name: 'Continue' }).click()
  await heading('New scan: General')
  await page.getByRole('button', { name: 'Discard the draft' }).click()
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
  expect(await client('GET', '/scans/draft')).toEqual({ draft: null })
}

/** Continues a draft in another browser, types without a connection, and takes over a draft of an earlier version. */
export async function draftContinued({ page, product, client, open, heading, site }: Suite): Promise<void> {
  const name = (of: Page) => of.getByLabel('Name', { exact: true })
  await open('/scans/new')
  await name(page).fill('Begun here')
  await page.getByText(savedNow).waitFor()
  const other = await newPage(page.context().browser()!)
  try {
    await other.goto(`${product.url}/monitor/scans/new`)
    await other.getByLabel('User name').fill('admin')
    await other.getByLabel('Password').fill(adminPassword)
    await other.keyboard.press('Enter')
    await expect.poll(() => name(other).inputValue()).toBe('Begun here')
    await other.getByLabel('Start URLs').fill(`${site.url}/`)
    await other.getByText(savedNow).waitFor()
    // This browser still shows the draft as it was. The later change wins.
    await name(page).fill('Later')
    await expect
      .poll(async () => (await client<Draft>('GET', '/scans/draft')).draft.values)
      .toMatchObject({
        name: 'Later',
        urls: '',
      })
    await other.reload()
    await expect.poll(() => name(other).inputValue()).toBe('Later')
    await other.context().setOffline(true)
    await name(other).fill('Offline')
    await other.getByText(/Draft kept in this browser, \d/).waitFor()
    await other.context().setOffline(false)
    await other.getByText(savedNow).waitFor()
    await open('/scans/new?step=scope')
    await heading('New scan: Scope')
    await page.getByRole('button', { name: /^General/ }).click()
    await expect.poll(() => name(page).inputValue()).toBe('Offline')
  } finally {
    await other.context().close()
  }
  await keptByEarlierVersion({ page, client, open })
}

/** A draft that only the browser has, as an earlier version stored it, goes to the server when the list shows it. */
async function keptByEarlierVersion({
  page,
  client,
  open,
}: Pick<Suite, 'page' | 'client' | 'open'>): Promise<void> {
  const { draft } = await client<Draft>('GET', '/scans/draft')
  await open('/scans')
  await client('DELETE', '/scans/draft')
  const old = { ...draft, values: { ...draft.values, name: 'Of before' }, format: 2 }
  await page.evaluate(
    (text) => localStorage.setItem('monitor.draft.admin.new', text),
    JSON.stringify({ ...old, savedAt: new Date().toISOString() }),
  )
  await open('/scans')
  await page.getByText(/^Of before, /).waitFor()
  await expect
    .poll(() => client('GET', '/scans/draft'))
    .toMatchObject({ draft: { values: { name: 'Of before' } } })
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByText('You began a new scan').count()).toBe(0)
  await expect.poll(() => focused(page)).toBe('Scans')
  expect(await client('GET', '/scans/draft')).toEqual({ draft: null })
  expect(await page.evaluate(() => localStorage.getItem('monitor.draft.admin.new'))).toBeNull()
}
