import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { closeMessage } from '../screen/looks.ts'
import { createScanWithResults } from './issue.ts'
import type { Suite } from '../product/suite.ts'

type StoredPreset = { settings: object; version: number }

/** Another user has saved a preset in the meantime: the input stays, and can overwrite that version. */
export async function overwriteConflict({ page, client, open, heading }: Suite): Promise<void> {
  const { id } = await client<{ id: string }>('POST', '/presets', { name: 'Changed by two' })
  await open(`/admin/presets/${id}/edit`)
  await heading('Changed by two General')
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  const { settings, version } = await client<StoredPreset>('GET', `/presets/${id}/settings`)
  await client('PUT', `/presets/${id}`, { settings: { ...settings, name: 'Theirs' }, version })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Someone else changed this in the meantime.').waitFor()
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save mine instead' }).click()
  await closeMessage(page, 'Preset saved: Mine')
  expect(await client<StoredPreset>('GET', `/presets/${id}/settings`)).toMatchObject({ settings: { name: 'Mine' } })
}

/** The connection drops while a script is saved: the input stays, and is saved after reconnecting. */
export async function surviveLostConnection({ page, client, open, heading, site }: Suite): Promise<void> {
  const scriptText = `projects: [{ name: s, id: s, pageList: [{ name: a, url: "${site.url}/", actions: ["wait for 1s"] }] }]`
  const { id } = await client<{ id: string }>('POST', '/scripts', { name: 'Offline', type: 'SESSION', text: scriptText })
  await open(`/admin/scripts/${id}/edit`)
  await heading('Offline')
  await page.getByLabel('Name', { exact: true }).fill('Offline no more')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The script could not be saved.').waitFor()
  await page.getByText('The server cannot be reached.', { exact: false }).first().waitFor()
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Offline no more')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await closeMessage(page, 'Script saved: Offline no more')
}

/** The session ends while a form is filled in: the input stays, and is saved after signing in elsewhere. */
export async function surviveExpiredSession({ page, client, open, heading }: Suite): Promise<void> {
  await open('/admin/groups/new')
  await heading('New scan group: General')
  await page.getByLabel('Name', { exact: true }).fill('Typed before')
  await page.route('**/monitor-api/groups', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', title: 'x', status: 401, code: 'token-rejected', requestId: 'r' }),
    }),
  )
  for (const step of ['Scans', 'Teams', 'Review']) await page.getByRole('button', { name: `Next: ${step}` }).click()
  await page.getByRole('button', { name: 'Create scan group' }).click()
  await page.getByText('Your sign-in is no longer valid. Sign in again.').waitFor()
  await page.getByText('Typed before').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor()
  await page.unroute('**/monitor-api/groups')
  await page.getByRole('button', { name: 'Try again' }).click()
  await closeMessage(page, 'Scan group saved: Typed before')
  await client('GET', '/groups/scan-groups?search=Typed')
}

/** Text typed on an issue outlives a reload, also the one after a lost connection; saved text leaves no draft. */
export async function keepDrafts(suite: Suite): Promise<void> {
  const { page, client, open } = suite
  const scan = await createScanWithResults(suite)
  const [issue] = (await client<{ content: { id: string }[] }>('GET', `/issues?scanId=${scan}&status=open&size=1`)).content
  await open(`/issues?scanId=%5B%22${scan}%22%5D&issue=%22${issue!.id}%22`)
  const panel = page.locator('section[aria-labelledby=detail]')
  const drafts = { 'New comment': 'Typed, not sent', Notes: 'Half a remedy', 'Ticket URL': 'https://tickets.example.org/7' }
  for (const form of ['Add notes…', 'Link a ticket…']) await panel.getByText(form).click()
  for (const [label, text] of Object.entries(drafts)) await panel.getByLabel(label, { exact: true }).fill(text)
  const expectDrafts = async () => {
    for (const [label, text] of Object.entries(drafts))
      await expect.poll(() => panel.getByLabel(label, { exact: true }).inputValue()).toBe(text)
  }
  await page.reload()
  await expectDrafts()
  await page.context().setOffline(true)
  await page
    .getByRole('link', { name: 'Inbox' })
    .or(page.getByRole('link', { name: 'Dashboard' }))
    .first()
    .click()
  await page.context().setOffline(false)
  await open(`/issues?scanId=%5B%22${scan}%22%5D&issue=%22${issue!.id}%22`)
  await expectDrafts()
  await panel.getByRole('button', { name: 'Add comment' }).click()
  const comment = panel.getByRole('listitem').filter({ hasText: 'Typed, not sent' })
  await comment.waitFor()
  await page.reload()
  await comment.waitFor()
  await expect.poll(() => panel.getByLabel('New comment', { exact: true }).inputValue()).toBe('')
}
