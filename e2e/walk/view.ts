import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { expectFocus } from '../screen/keyboard.ts'
import { checkEveryLook, closeMessage, wideViewport } from '../screen/looks.ts'
import { createScanWithResults } from './issue.ts'
import { type Shell, viewer } from './shell.ts'
import type { Suite } from '../product/suite.ts'

const me = { kind: 'me' }
type Views = { content: { name: string; audience: { kind: string }; query: object }[] }
const listStoredViews = async ({ client }: Suite) =>
  (await client<Views>('GET', '/views?screen=issues')).content.map(({ name, audience, query }) => [name, audience.kind, query])

/** Locators of saved views by name: the button with the open view, an entry of its menu, a view in the menu. */
type ViewMenu = Record<'opened' | 'entry' | 'choice', (name: string) => Locator>

/** Saves a view, opens it by keyboard, changes, shares, renames and deletes it. */
export async function manageViews(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  const scan = await createScanWithResults(suite)
  const filters = page.getByRole('search', { name: 'Issues' })
  const closed = filters.getByRole('button', { name: 'Saved views' })
  const getViewButton = (name: string) => filters.getByRole('button', { name: `View: ${name}`, exact: true })
  const menu = page.getByRole('menu', { name: 'Saved views' })
  const getMenuEntry = (name: string) => menu.getByRole('menuitem', { name, exact: true })
  const getViewChoice = (name: string) => menu.getByRole('menuitemradio', { name, exact: true })

  await open('/issues?severity=["critical"]')
  await heading('Issues')
  await closed.click()
  await menu.getByText('No saved views yet').waitFor()
  await expectAccessible(page)
  await getMenuEntry('Save this view…').click()
  const save = page.getByRole('dialog', { name: 'Save this view' })
  await save.getByRole('button', { name: 'Save' }).click()
  await save.getByText('Fill in this field.').waitFor()
  await save.getByLabel('Name').fill('What matters')
  await save.getByLabel('For', { exact: true }).selectOption('Shop team')
  await checkEveryLook(page)
  await save.getByRole('button', { name: 'Save' }).click()
  await closeMessage(page, 'View saved: What matters')
  await getViewButton('What matters').waitFor()
  expect(await listStoredViews(suite)).toEqual([['What matters', 'team', { severity: ['critical'] }]])
  await saveAgain(suite, getViewButton)
  // The URL names the view: a reload opens it again.
  await page.reload()
  await getViewButton('What matters').waitFor()

  await open(`/issues?scanId=["${scan}"]`)
  await heading('Issues')
  await closed.focus()
  await page.keyboard.press('ArrowDown')
  await menu.getByText('Shop team').waitFor()
  // The views may arrive after the menu has opened, above the entry with the focus.
  await page.keyboard.press('Home')
  await expectFocus(getViewChoice('What matters'))
  await page.keyboard.press('Enter')
  await filters.getByRole('status').getByText('View opened: What matters').waitFor()
  await expect.poll(() => decodeURIComponent(page.url())).toContain('severity=["critical"]')
  expect(page.url()).not.toContain(scan)

  await page.getByLabel('Find in issues').fill('image')
  await page.keyboard.press('Enter')
  await getViewButton('What matters (changed)').click()
  await getMenuEntry('Save changes').click()
  await closeMessage(page, 'View saved: What matters')
  await getViewButton('What matters').waitFor()
  const query = { severity: ['critical'], q: 'image' }
  expect(await listStoredViews(suite)).toEqual([['What matters', 'team', query]])
  await shareAndDelete(suite, { opened: getViewButton, entry: getMenuEntry, choice: getViewChoice, query })
}

/** Saves another view while the message about the first is visible: the focus returns to the place of work each time. */
async function saveAgain({ page, client }: Suite, opened: ViewMenu['opened']): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Save this view' })
  let openViewName = 'What matters'
  for (const name of ['Second', 'Third']) {
    await opened(openViewName).click()
    await page.getByRole('menuitem', { name: 'Save this view…' }).click()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await opened(name).waitFor()
    await expectFocus(opened(name))
    openViewName = name
  }
  const messages = page.getByRole('region', { name: 'Messages' })
  for (const name of ['Second', 'Third']) {
    await messages.getByText(`View saved: ${name}`).waitFor()
    await messages.getByRole('button', { name: 'Close message' }).click()
  }
  const { content } = await client<{ content: { id: string; name: string }[] }>('GET', '/views?screen=issues')
  for (const { id, name } of content) if (name !== 'What matters') await client('DELETE', `/views/${id}`)
  await page.goBack()
  await page.goBack()
}

async function shareAndDelete(suite: Suite, { opened, entry, choice, query }: ViewMenu & { query: object }): Promise<void> {
  const { page, client, open, heading } = suite
  const everyoneAudience = { kind: 'everybody' }
  await client('POST', '/views', { name: 'Taken', screen: 'issues', query: {}, audience: everyoneAudience })
  await opened('What matters').click()
  await entry('Rename or share view…').click()
  const change = page.getByRole('dialog', { name: 'Rename or share view' })
  await change.getByLabel('Name').fill('taken')
  await change.getByLabel('For', { exact: true }).selectOption('Everyone')
  await change.getByRole('button', { name: 'Save' }).click()
  await change.getByText('This name is taken already.').waitFor()
  await change.getByLabel('Name').fill('Images first')
  await change.getByRole('button', { name: 'Save' }).click()
  await closeMessage(page, 'View saved: Images first')
  await opened('Images first').waitFor()
  expect(await listStoredViews(suite)).toEqual([
    ['Images first', 'everybody', query],
    ['Taken', 'everybody', {}],
  ])

  // Folding the filters does not fold the views, and the search finds them from everywhere.
  await page.setViewportSize({ width: 320, height: 640 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await opened('Images first').click()
  await choice('Images first').waitFor()
  await expectAccessible(page)
  // The menu scrolls: its last entry moves into the window with the focus.
  await page.keyboard.press('End')
  const lastEntry = entry('Close view')
  await expectFocus(lastEntry)
  const getBottom = async () => {
    const box = await lastEntry.boundingBox()
    return box ? box.y + box.height : Infinity
  }
  await expect.poll(getBottom).toBeLessThanOrEqual(640)
  await page.keyboard.press('Escape')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(wideViewport)
  await open('/scans')
  await heading('Scans')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search everything' }).fill('images f')
  await page.getByRole('option', { name: 'Images first' }).click()
  await opened('Images first').click()
  await entry('Delete view…').click()
  const deleteDialog = page.getByRole('alertdialog', { name: 'Delete view' })
  await deleteDialog.getByText('“Images first” is deleted for everyone it is shared with.').waitFor()
  await checkEveryLook(page)
  await deleteDialog.getByRole('button', { name: 'Delete view' }).click()
  await closeMessage(page, 'View deleted: Images first')
  expect(await listStoredViews(suite)).toEqual([['Taken', 'everybody', {}]])
}

/** Every list with views reports that they failed to load, and retries. */
export async function reportFailedViews({ page, client, open, heading }: Suite): Promise<void> {
  await client('POST', '/views', { name: 'Failed', screen: 'pages', query: { tab: 'failed' }, audience: me })
  const getButton = (title: string) => page.getByRole('search', { name: title }).getByRole('button', { name: 'Saved views' })
  await page.route('**/monitor-api/views?*', (route) => route.fulfill({ status: 400 }))
  for (const [path, title] of [
    ['/scans', 'Scans'],
    ['/pages', 'Pages'],
  ] as const) {
    await open(path)
    await heading(title)
    await getButton(title).click()
    await page.getByText('The views could not be loaded.').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  }
  await page.unroute('**/monitor-api/views?*')
  await getButton('Pages').click()
  await page.getByRole('menuitem', { name: 'Try again' }).click()
  await getButton('Pages').click()
  await page.getByRole('menuitemradio', { name: 'Failed' }).click()
  await page.getByRole('button', { name: 'View: Failed' }).waitFor()
  await expect.poll(() => page.getByRole('radio', { name: /^Failed/ }).isChecked()).toBe(true)
}

type Listing = ReturnType<typeof createListing>
/** The views of the list of pages. */
function createListing(page: Page) {
  const button = page.getByRole('search', { name: 'Pages' }).getByRole('button', { name: /^(Saved views|View)/ })
  const chooseEntry = async (role: 'menuitem' | 'menuitemradio', name: string) => {
    await button.click()
    await page.getByRole(role, { name, exact: true }).click()
  }
  const expectView = (name: string) => expect.poll(() => button.textContent()).toBe(name === '' ? 'Saved views' : `View: ${name}`)
  return { page, button, choose: chooseEntry, shows: expectView }
}
const buildDefaultText = (name: string) => `This list opens with the view “${name}”.`

/** Makes a view the default of the list, undoes that, and reports that another user deleted it. */
export async function useDefaultView({ product, client, open: visit }: Shell): Promise<void> {
  const { page, signIn: enter, heading } = await visit()
  const openPath = (path: string) => page.goto(`${product.url}/monitor${path}`)
  const everyoneAudience = { kind: 'everybody' }
  const saveView = (name: string, query: object) =>
    client<{ id: string }>('POST', '/views', { name, screen: 'pages', query, audience: everyoneAudience })
  const excludedView = await saveView('Excluded first', { tab: 'excluded' })
  await saveView('Plain', {})
  const views = createListing(page)
  const { button, choose, shows } = views
  await enter('/monitor/pages', viewer)
  await heading('Pages').waitFor()
  await choose('menuitemradio', 'Excluded first')
  await shows('Excluded first')
  await choose('menuitem', 'Make default view')
  await closeMessage(page, buildDefaultText('Excluded first'))

  // Opens by the link in the header and by the bare URL, but not where the URL holds a query.
  await page.getByRole('link', { name: 'Scans', exact: true }).click()
  await heading('Scans').waitFor()
  await page.getByRole('link', { name: 'Pages', exact: true }).click()
  await shows('Excluded first')
  await openPath('/pages')
  await shows('Excluded first')
  await expect.poll(() => page.getByRole('radio', { name: /^Not tested/ }).isChecked()).toBe(true)
  await openPath('/pages?tab=failed')
  await shows('')
  await openPath('/pages')
  await shows('Excluded first')
  await button.click()
  await page.getByRole('menuitemradio', { name: 'Excluded first (default)' }).waitFor()
  await checkEveryLook(page)
  await page.getByRole('menuitem', { name: 'Close view' }).click()
  await shows('')
  // A later visit finds the list unchanged.
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await heading('Dashboard').waitFor()
  await page.goBack()
  await heading('Pages').waitFor()
  await shows('')
  // So does a reload. The list appears only once the view is decided.
  await page.reload()
  await page.getByText(/^\d+ tested pages?$/).waitFor()
  await shows('')
  await undoDefault(views, () => openPath('/pages'))

  await client('DELETE', `/views/${excludedView.id}`)
  await openPath('/pages')
  await page.getByText('Your default view “Excluded first” was deleted.').waitFor()
  await shows('')
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => page.getByText('Your default view').count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await page.reload()
  await button.waitFor()
  await shows('')
  expect(await page.getByText('Your default view').count()).toBe(0)
}

async function undoDefault({ page, choose, shows }: Listing, openList: () => Promise<unknown>): Promise<void> {
  const messages = page.getByRole('region', { name: 'Messages' })
  await choose('menuitemradio', 'Plain')
  await choose('menuitem', 'Make default view')
  await messages.getByText(buildDefaultText('Plain')).waitFor()
  await messages.getByRole('button', { name: 'Undo' }).click()
  await messages.getByText(buildDefaultText('Excluded first')).waitFor()
  await openList()
  await shows('Excluded first')
  await choose('menuitem', 'Remove as default view')
  await closeMessage(page, 'This list opens without a view.')
  await openList()
  await shows('')
  await choose('menuitemradio', 'Excluded first')
  await choose('menuitem', 'Make default view')
  await closeMessage(page, buildDefaultText('Excluded first'))
}
