import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { getFocusedName } from '../screen/keyboard.ts'
import { newPage } from '../screen/looks.ts'
import { adminPassword } from '../product/start.ts'
import type { Suite } from '../product/suite.ts'

/** Visible text; screen readers announce it without the time. */
const savedNow = /Draft saved \d/
const draftUrl = '**/scans/draft*'
type Draft = { draft: { values: Record<string, unknown> } }

/**
 * Deletes the draft of a new scan. Leaves the current screen first, without the draft that it saves when it is left: the server
 * could store that one after the deletion.
 */
export async function deleteDraft({ page, product, client }: Suite): Promise<void> {
  await page.route(draftUrl, (route) => route.abort())
  await page.goto(`${product.url}/config`)
  await page.unroute(draftUrl)
  await page.evaluate(() => localStorage.clear())
  await client('DELETE', '/scans/draft')
}

/** A form that returns to its original values has no draft. */
export async function revertDraft({ page, client, open }: Suite): Promise<void> {
  await open('/scans/new')
  const name = page.getByLabel('Name', { exact: true })
  const expectDeleted = () => expect.poll(() => client('GET', '/scans/draft')).toEqual({ draft: null })
  await name.fill('Half done')
  await page.getByText(savedNow).waitFor()
  await name.fill('')
  await expectDeleted()
  await page.getByText(savedNow).waitFor({ state: 'detached' })
  await name.fill('Half done')
  await page.getByText(savedNow).waitFor()
  await page.reload()
  const restored = page.getByText(/^Your draft of/)
  await restored.waitFor()
  await name.fill('')
  await expectDeleted()
  await restored.waitFor({ state: 'detached' })
  await open('/scans')
  await page.getByRole('heading', { name: 'Scans', level: 1 }).waitFor()
  expect(await page.getByText('You began a new scan').count()).toBe(0)
}

/** Keeps a draft across a reload, without secrets, until it is discarded. */
export async function keepDraft(suite: Suite): Promise<void> {
  const { page, client, open, heading, site } = suite
  await open('/scans/new')
  await page.getByLabel('Name', { exact: true }).fill('Half done')
  await page.getByLabel('Start URLs').fill(`${site.url}/`)
  await open('/scans/new?step=session')
  await page.getByLabel('Kind of sign-in').selectOption('basic')
  await page.getByLabel('Password').fill('geheim')
  await page.getByText(savedNow).waitFor()
  await page.getByRole('status').getByText('Draft saved', { exact: true }).waitFor({ state: 'attached' })
  const storedDraft = JSON.stringify(await client('GET', '/scans/draft'))
  expect(storedDraft).toContain('Half done')
  expect(storedDraft).not.toContain('geheim')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Half done')
  await page.reload()
  await page.getByText(/^Your draft of/).waitFor()
  await expect.poll(() => page.getByLabel('Kind of sign-in').inputValue()).toBe('basic')
  await expectAccessible(page)
  // A wrong value is an error again after a reload.
  await open('/scans/new?step=advanced')
  await page.getByText('Browser', { exact: true }).click()
  await page.getByLabel('Window width (px)').fill('1')
  await page.getByText(savedNow).waitFor()
  await page.reload()
  await page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: /Advanced Needs a fix/ })
    .waitFor()
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

/** Continues a draft in another browser, edits offline, and takes over a draft of an earlier version. */
export async function continueDraft({ page, product, client, open, heading, site }: Suite): Promise<void> {
  const getNameField = (targetPage: Page) => targetPage.getByLabel('Name', { exact: true })
  await open('/scans/new')
  await getNameField(page).fill('Begun here')
  await page.getByText(savedNow).waitFor()
  const otherPage = await newPage(page.context().browser()!)
  try {
    await otherPage.goto(`${product.url}/monitor/scans/new`)
    await otherPage.getByLabel('User name').fill('admin')
    await otherPage.getByLabel('Password').fill(adminPassword)
    await otherPage.keyboard.press('Enter')
    await expect.poll(() => getNameField(otherPage).inputValue()).toBe('Begun here')
    await otherPage.getByLabel('Start URLs').fill(`${site.url}/`)
    await otherPage.getByText(savedNow).waitFor()
    // This browser still shows the previous draft. The later change wins.
    await getNameField(page).fill('Later')
    await expect
      .poll(async () => (await client<Draft>('GET', '/scans/draft')).draft.values)
      .toMatchObject({
        name: 'Later',
        urls: '',
      })
    await otherPage.reload()
    await expect.poll(() => getNameField(otherPage).inputValue()).toBe('Later')
    await otherPage.context().setOffline(true)
    await getNameField(otherPage).fill('Offline')
    await otherPage.getByText(/Draft kept in this browser, \d/).waitFor()
    await otherPage.context().setOffline(false)
    await otherPage.getByText(savedNow).waitFor()
    await open('/scans/new?step=scope')
    await heading('New scan: Scope')
    await page.getByRole('button', { name: /^General/ }).click()
    await expect.poll(() => getNameField(page).inputValue()).toBe('Offline')
  } finally {
    await otherPage.context().close()
  }
  await migrateLocalDraft({ page, client, open })
}

/** A draft that an earlier version stored only in the browser moves to the server when the list opens. */
async function migrateLocalDraft({ page, client, open }: Pick<Suite, 'page' | 'client' | 'open'>): Promise<void> {
  const { draft } = await client<Draft>('GET', '/scans/draft')
  await open('/scans')
  await client('DELETE', '/scans/draft')
  const localDraft = { ...draft, values: { ...draft.values, name: 'Of before' }, format: 2 }
  await page.evaluate(
    (text) => localStorage.setItem('monitor.draft.admin.new', text),
    JSON.stringify({ ...localDraft, savedAt: new Date().toISOString() }),
  )
  await open('/scans')
  await page.getByText(/^Of before Draft, /).waitFor()
  await expect.poll(() => client('GET', '/scans/draft')).toMatchObject({ draft: { values: { name: 'Of before' } } })
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByText('You began a new scan').count()).toBe(0)
  await expect.poll(() => getFocusedName(page)).toBe('Scans')
  expect(await client('GET', '/scans/draft')).toEqual({ draft: null })
  expect(await page.evaluate(() => localStorage.getItem('monitor.draft.admin.new'))).toBeNull()
}
