import { expect } from 'vitest'
import { readFileSync } from 'node:fs'
import type { Suite } from '../product/suite.ts'
import { checkEveryLook, closeMessage } from '../screen/looks.ts'
import { buildIssuesPath, createScanWithResults } from './issue.ts'

type Detail = { status: string; ignore: { reason: string; until: string | null } }

/** Ignores a selection with a reason and a last day, changes the decision in the register, exports it, and ends it there. */
export async function keepRegister(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const scan = await createScanWithResults(suite)
  const issuesPath = `/issues?scanId=${scan}&status=open&rule=image-alt`
  const [issue] = (await client<{ content: { id: string }[] }>('GET', issuesPath)).content
  const readIssue = () => client<Detail>('GET', `/issues/${issue!.id}`)
  await open(buildIssuesPath(scan, '&rule=%5B%22image-alt%22%5D&grouped=false'))
  await page
    .getByRole('checkbox', { name: /^Select: / })
    .first()
    .check()
  await page.getByRole('button', { name: 'Set status' }).click()
  await page.getByRole('menuitem', { name: 'Ignore with a reason…' }).click()
  const ignoreDialog = page.getByRole('dialog', { name: 'Ignore' })
  await ignoreDialog.getByRole('textbox', { name: 'Reason' }).fill('Until the relaunch')
  const lastDay = ignoreDialog.getByLabel('Ignore until')
  await lastDay.fill('2020-01-31')
  await ignoreDialog.getByRole('button', { name: 'Ignore', exact: true }).click()
  await ignoreDialog.getByText('Choose today or a later date.').waitFor()
  await lastDay.fill('2099-01-31')
  await checkEveryLook(page)
  await ignoreDialog.getByRole('button', { name: 'Ignore', exact: true }).click()
  await closeMessage(page, '1 issue changed.')
  expect(await readIssue()).toMatchObject({ status: 'ignored', ignore: { reason: 'Until the relaunch' } })

  await page.getByLabel('Status', { exact: true }).selectOption('Ignored')
  await page.getByRole('link', { name: 'Reasons and dates' }).click()
  await heading('Ignored issues')
  const row = page.getByRole('row').filter({ hasText: 'Until the relaunch' })
  await row.getByText('Jan 31, 2099').waitFor()
  const chooseAction = async (name: string) => {
    await row.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await checkEveryLook(page)
  await page.getByLabel('Ends within').selectOption('30 days')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await page.getByRole('button', { name: 'Clear all' }).first().click()
  await row.waitFor()

  await chooseAction('Change…')
  const changeDialog = page.getByRole('dialog', { name: 'Change ignored issues' })
  await changeDialog.getByLabel('Ignore until').fill('2099-03-31')
  await changeDialog.getByRole('button', { name: 'Save' }).click()
  await closeMessage(page, 'Saved.')
  await row.getByText('Mar 31, 2099').waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('Until the relaunch')

  await row.getByRole('link').click()
  await page.getByRole('heading', { name: /image/i, level: 2 }).first().waitFor()
  await page.goBack()
  await chooseAction('Stop ignoring…')
  await page.getByRole('dialog').getByRole('button', { name: 'Stop ignoring' }).click()
  await closeMessage(page, 'The issues are open again.')
  await row.waitFor({ state: 'detached' })
  expect((await readIssue()).status).toBe('open')
}
