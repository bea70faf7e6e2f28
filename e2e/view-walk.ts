import { expect } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { everyLook, told } from './looks.ts'
import { scanWithResults } from './issue-walk.ts'
import type { Suite } from './suite.ts'

const me = { kind: 'me' }
type Views = { content: { name: string; audience: { kind: string }; query: object }[] }
const stored = async ({ client }: Suite) =>
  (await client<Views>('GET', '/views?screen=issues')).content.map(({ name, audience, query }) => [
    name,
    audience.kind,
    query,
  ])

/** Saves a view, opens it by keyboard, changes, shares, renames and deletes it. */
export async function savedViews(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  const scan = await scanWithResults(suite)
  const filters = page.getByRole('search', { name: 'Issues' })
  const closed = filters.getByRole('button', { name: 'Saved views' })
  const opened = (name: string) => filters.getByRole('button', { name: `View: ${name}`, exact: true })
  const menu = page.getByRole('menu', { name: 'Saved views' })
  const entry = (name: string) => menu.getByRole('menuitem', { name, exact: true })
  const choice = (name: string) => menu.getByRole('menuitemradio', { name, exact: true })

  await open('/issues?severity=["critical"]')
  await heading('Issues')
  await closed.click()
  await menu.getByText('No saved views yet').waitFor()
  await expectAccessible(page)
  await entry('Save this view…').click()
  const save = page.getByRole('dialog', { name: 'Save this view' })
  await save.getByRole('button', { name: 'Save' }).click()
  await save.getByText('Fill in this field.').waitFor()
  await save.getByLabel('Name').fill('What matters')
  await save.getByLabel('For', { exact: true }).selectOption('Shop team')
  await everyLook(page)
  await save.getByRole('button', { name: 'Save' }).click()
  await told(page, 'View saved: What matters')
  await opened('What matters').waitFor()
  expect(await stored(suite)).toEqual([['What matters', 'team', { severity: ['critical'] }]])
  // The address names it: it is there again after a reload.
  await page.reload()
  await opened('What matters').waitFor()

  await open(`/issues?scanId=["${scan}"]`)
  await heading('Issues')
  await closed.focus()
  await page.keyboard.press('ArrowDown')
  await menu.getByText('Shop team').waitFor()
  // The views may come a moment after the menu is open, above what has the focus by then.
  await page.keyboard.press('Home')
  await expect
    .poll(() => choice('What matters').evaluate((item) => item === document.activeElement))
    .toBe(true)
  await page.keyboard.press('Enter')
  await filters.getByRole('status').getByText('View opened: What matters').waitFor()
  await expect.poll(() => decodeURIComponent(page.url())).toContain('severity=["critical"]')
  expect(page.url()).not.toContain(scan)

  await page.getByLabel('Find in issues').fill('image')
  await page.keyboard.press('Enter')
  await opened('What matters (changed)').click()
  await entry('Save changes').click()
  await told(page, 'View saved: What matters')
  await opened('What matters').waitFor()
  const query = { severity: ['critical'], q: 'image' }
  expect(await stored(suite)).toEqual([['What matters', 'team', query]])
  await sharesAndDeletes(suite, { opened, entry, choice, query })
}

type Parts = {
  opened: (name: string) => ReturnType<Suite['page']['getByRole']>
  entry: (name: string) => ReturnType<Suite['page']['getByRole']>
  choice: (name: string) => ReturnType<Suite['page']['getByRole']>
  query: object
}

async function sharesAndDeletes(suite: Suite, { opened, entry, choice, query }: Parts): Promise<void> {
  const { page, client, open, heading } = suite
  const everybody = { kind: 'everybody' }
  await client('POST', '/views', { name: 'Taken', screen: 'issues', query: {}, audience: everybody })
  await opened('What matters').click()
  await entry('Rename or share view…').click()
  const change = page.getByRole('dialog', { name: 'Rename or share view' })
  await change.getByLabel('Name').fill('taken')
  await change.getByLabel('For', { exact: true }).selectOption('Everybody')
  await change.getByRole('button', { name: 'Save' }).click()
  await change.getByText('This name is taken already.').waitFor()
  await change.getByLabel('Name').fill('Images first')
  await change.getByRole('button', { name: 'Save' }).click()
  await told(page, 'View saved: Images first')
  await opened('Images first').waitFor()
  expect(await stored(suite)).toEqual([
    ['Images first', 'everybody', query],
    ['Taken', 'everybody', {}],
  ])

  // Where the filters are folded, the views are not; and the search finds them from everywhere.
  await page.setViewportSize({ width: 320, height: 640 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await opened('Images first').click()
  await choice('Images first').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await open('/scans')
  await heading('Scans')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search everything' }).fill('images f')
  await page.getByRole('option', { name: 'Images first' }).click()
  await opened('Images first').click()
  await entry('Delete view…').click()
  const ask = page.getByRole('alertdialog', { name: 'Delete view' })
  await ask.getByText('“Images first” is deleted for everybody who has it.').waitFor()
  await everyLook(page)
  await ask.getByRole('button', { name: 'Delete view' }).click()
  await told(page, 'View deleted: Images first')
  expect(await stored(suite)).toEqual([['Taken', 'everybody', {}]])
}

/** Says on every list that has views when they could not be loaded, and asks again. */
export async function viewsNotLoaded({ page, client, open, heading }: Suite): Promise<void> {
  await client('POST', '/views', { name: 'Failed', screen: 'pages', query: { tab: 'failed' }, audience: me })
  const button = (title: string) =>
    page.getByRole('search', { name: title }).getByRole('button', { name: 'Saved views' })
  await page.route('**/monitor-api/views?*', (route) => route.fulfill({ status: 400 }))
  for (const [path, title] of [
    ['/scans', 'Scans'],
    ['/pages', 'Pages'],
  ] as const) {
    await open(path)
    await heading(title)
    await button(title).click()
    await page.getByText('The views could not be loaded.').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  }
  await page.unroute('**/monitor-api/views?*')
  await button('Pages').click()
  await page.getByRole('menuitem', { name: 'Try again' }).click()
  await button('Pages').click()
  await page.getByRole('menuitemradio', { name: 'Failed' }).click()
  await page.getByRole('button', { name: 'View: Failed' }).waitFor()
  await expect.poll(() => page.getByRole('radio', { name: /^Failed/ }).isChecked()).toBe(true)
}
