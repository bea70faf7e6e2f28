import { join } from 'node:path'
import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { expectFocus } from '../screen/keyboard.ts'
import { checkEveryLook } from '../screen/looks.ts'
import { buildFixtureScan } from '../product/results.ts'
import type { Suite } from '../product/suite.ts'

type StoredScan = { settings: Record<string, unknown> }
const getKeystorePath = (name: string) => join(import.meta.dirname, '../../fixtures/keystores', name)

async function openEditStep({ client, site, open, heading }: Suite, name: string, step: string): Promise<string> {
  const { id } = await client<{ id: string }>('POST', '/scans', buildFixtureScan(name, site.url))
  await open(`/scans/${id}/edit?step=${step}`)
  await heading(`Edit scan: ${step[0]!.toUpperCase()}${step.slice(1)}`)
  return id
}

/** Saves, and returns the settings as stored. */
async function saveAndReadSettings(suite: Suite, id: string, name: string): Promise<Record<string, unknown>> {
  await suite.page.getByRole('button', { name: 'Save changes' }).click()
  await suite.heading(name)
  return (await suite.client<StoredScan>('GET', `/scans/${id}/settings`)).settings
}

const reopenSchedule = async ({ open, heading }: Suite, id: string) => {
  await open(`/scans/${id}/edit?step=schedule`)
  await heading('Edit scan: Schedule')
}
const getFrequency = ({ page }: Suite, name: string) =>
  page.getByRole('group', { name: 'When it runs' }).getByRole('radio', { name, exact: true })

async function expectStartTimes({ page }: Suite): Promise<void> {
  await page.getByLabel('Start date').fill('2099-01-05')
  await page.getByLabel('Start time').fill('03:30')
  await page.getByRole('button', { name: 'Time zone' }).click()
  const search = page.getByRole('dialog', { name: 'Time zone' })
  await checkEveryLook(page)
  await search.getByRole('searchbox').fill('zzz')
  await search.getByText('No time zone matches').waitFor()
  await search.getByRole('searchbox').fill('tokyo')
  await search.getByRole('button', { name: 'Asia/Tokyo UTC+9' }).waitFor()
  await search.getByRole('searchbox').press('Enter')
  await search.waitFor({ state: 'detached' })
  const opener = page.getByRole('button', { name: 'Time zone: Asia/Tokyo, UTC+9' })
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
}
const start = { startDate: '2099-01-05', startTime: '03:30', timeZone: 'Asia/Tokyo' }

/** Sets each kind of recurrence and shows when runs would start. */
export async function setEachRecurrence(suite: Suite): Promise<void> {
  const { page } = suite
  const id = await openEditStep(suite, 'Recurring', 'schedule')
  await getFrequency(suite, 'Once').check()
  await expectStartTimes(suite)
  await page.getByText(/Jan 5, 2099.* in Asia\/Tokyo/).waitFor()
  expect((await saveAndReadSettings(suite, id, 'Recurring'))['schedule']).toMatchObject({ frequency: 'once', ...start })

  await reopenSchedule(suite, id)
  await getFrequency(suite, 'Weekly').check()
  await page.getByLabel('Repeat every (weeks)').fill('2')
  for (const day of ['Tuesday', 'Thursday']) await page.getByRole('checkbox', { name: day }).check()
  await page.getByRole('radio', { name: 'After a number of runs' }).check()
  await page.getByRole('textbox', { name: 'Number of runs' }).fill('3')
  // The longest time of a run has its place in step Advanced. A time that only scheduled runs have stays, and can be cleared.
  await page.getByText('Run timeout: no limit. Set it in step Advanced.').waitFor()
  await checkEveryLook(page)
  const weekly = (await saveAndReadSettings(suite, id, 'Recurring'))['schedule'] as { weekdays: string[] }
  expect(weekly).toMatchObject({ frequency: 'weekly', interval: 2, end: { kind: 'after', runs: 3 }, timeoutMs: null })
  expect(weekly.weekdays).toEqual(expect.arrayContaining(['tuesday', 'thursday']))

  await reopenSchedule(suite, id)
  await getFrequency(suite, 'Monthly').check()
  // The weekly recurrence keeps "every other week".
  await page.getByLabel('Repeat every (months)').fill('1')
  await page.getByRole('radio', { name: 'On a date' }).check()
  await page.getByLabel('Last day', { exact: true }).fill('2099-12-31')
  const preview = page.getByRole('region', { name: 'Upcoming runs' })
  const monthly: [choice: string, fill: () => Promise<unknown>, begins: string[]][] = [
    ['first', () => Promise.resolve(), ['Sun, Feb 1, 2099', 'Sun, Mar 1, 2099']],
    ['last', () => Promise.resolve(), ['Sat, Jan 31, 2099', 'Sat, Feb 28, 2099']],
    ['day', () => page.getByLabel('Day of the month', { exact: true }).fill('30'), ['Fri, Jan 30, 2099']],
    [
      'weekday',
      async () => {
        await page.getByLabel('Which one').selectOption('last')
        await page.getByLabel('Weekday', { exact: true }).selectOption('wednesday')
      },
      ['Wed, Jan 28, 2099', 'Wed, Feb 25, 2099'],
    ],
  ]
  for (const [choice, fill, begins] of monthly) {
    await page.getByLabel('On which day').selectOption(choice)
    await fill()
    for (const day of begins) await preview.getByText(day).first().waitFor()
  }
  expect((await saveAndReadSettings(suite, id, 'Recurring'))['schedule']).toMatchObject({
    frequency: 'monthly',
    day: { kind: 'weekday', week: 'last', weekday: 'wednesday' },
    end: { kind: 'on', date: '2099-12-31' },
  })
}

/** Scans that limit their scheduled runs keep that time, and can change and clear it. */
export async function keepScheduleTimeout(suite: Suite): Promise<void> {
  const { page, client, site } = suite
  const schedule = {
    frequency: 'weekly',
    interval: 1,
    weekdays: ['monday'],
    end: { kind: 'never' },
    timeoutMs: 5_400_000,
    ...start,
  }
  const { id } = await client<{ id: string }>('POST', '/scans', { ...buildFixtureScan('Limited', site.url), schedule })
  const [hours, minutes] = [page.getByLabel('Hours'), page.getByLabel('Minutes')]
  await reopenSchedule(suite, id)
  expect([await hours.inputValue(), await minutes.inputValue()]).toEqual(['1', '30'])
  await hours.fill('2')
  expect((await saveAndReadSettings(suite, id, 'Limited'))['schedule']).toMatchObject({ timeoutMs: 9_000_000 })
  await reopenSchedule(suite, id)
  await hours.fill('')
  await minutes.fill('')
  expect((await saveAndReadSettings(suite, id, 'Limited'))['schedule']).toMatchObject({ timeoutMs: null })
  await reopenSchedule(suite, id)
  await page.getByText('Run timeout: no limit.').waitFor()
  expect(await hours.count()).toBe(0)
}

/** Without a mail server mail cannot be chosen, and existing recipients stay. */
export async function keepRecipients(suite: Suite): Promise<void> {
  const { page, client, site, open, heading } = suite
  const notification = { events: ['finished'], me: true, allTeamMembers: false, specificUsers: ['sam@example.org'] }
  const { id } = await client<{ id: string }>('POST', '/scans', { ...buildFixtureScan('Told by email', site.url), notification })
  await open(`/scans/${id}/edit?step=schedule`)
  await heading('Edit scan: Schedule')
  await page.getByText(/^This server sends no email/).waitFor()
  expect(await page.getByRole('checkbox', { name: 'Me', exact: true }).count()).toBe(0)
  await checkEveryLook(page)
  await getFrequency(suite, 'Once').check()
  await expectStartTimes(suite)
  expect((await saveAndReadSettings(suite, id, 'Told by email'))['notification']).toMatchObject(notification)
}

/** Reports at its field what a schedule lacks. */
export async function rejectFaultySchedule(suite: Suite): Promise<void> {
  const { page } = suite
  await openEditStep(suite, 'Never starts', 'schedule')
  await getFrequency(suite, 'Weekly').check()
  // Errors appear a moment after the field loses focus, and move the content below.
  for (const [label, wrong] of [
    ['Start date', '2020-01-01'],
    ['Repeat every (weeks)', '0'],
  ] as const) {
    const field = page.getByLabel(label)
    await field.fill(wrong)
    await field.blur()
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  }
  const days = page.getByRole('group', { name: 'On which days' }).getByRole('checkbox')
  for (const box of await days.all()) if (await box.isChecked()) await box.uncheck()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: /^Fix \d+ errors$/ }).waitFor()
  for (const field of ['Start date', 'How often it repeats'])
    await page.getByRole('button', { name: new RegExp(`^${field}: `) }).waitFor()
  await checkEveryLook(page)
}

/** Reports at its field an error that only the server knows: the chosen preset has been deleted in the meantime. */
export async function reportDeletedPreset(suite: Suite): Promise<void> {
  const { page, client } = suite
  const preset = await client<{ id: string }>('POST', '/presets', { name: 'Soon gone' })
  await openEditStep(suite, 'Loses its preset', 'preset')
  await page.getByLabel('Preset', { exact: true }).selectOption('Soon gone')
  await client('DELETE', `/presets/${preset.id}`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: /Choose one of the listed values/ }).click()
  await expectFocus(page.locator('#presetId'))
  await expectAccessible(page)
}

/** Signs in by certificate: an invalid file, a wrong password, then the right one. */
export async function signInByKeystore(suite: Suite): Promise<void> {
  const { page } = suite
  const id = await openEditStep(suite, 'Certified', 'session')
  await page.getByLabel('Kind of sign-in').selectOption('client_cer')
  const checkSignIn = () => page.getByRole('button', { name: 'Check the keystore' }).click()
  await page.getByLabel('Keystore file').setInputFiles(getKeystorePath('server.pem'))
  await page.getByLabel('Password of the keystore').fill('changeit')
  await checkSignIn()
  await page.getByText('Invalid keystore format!').waitFor()
  await page.getByLabel('Keystore file').setInputFiles(getKeystorePath('rsa.p12'))
  await page.getByLabel('Password of the keystore').fill('wrong')
  await checkSignIn()
  await page.getByText('Incorrect password!').waitFor()
  await checkEveryLook(page)
  await page.getByLabel('Password of the keystore').fill('changeit')
  await checkSignIn()
  await page.getByText('The keystore opens').waitFor()
  await page.getByText(/^Certificate of /).waitFor()
  const { session } = await saveAndReadSettings(suite, id, 'Certified')
  expect(session).toMatchObject({ connection: { authType: 'client_cer', keystoreType: 'PKCS12', keystorePassword: null } })
}
