import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { expectAlignedFields } from '../screen/alignment.ts'
import { expectFocus, getFocusedName, pressOn, tabTo, typeInto } from '../screen/keyboard.ts'
import { buildFixtureScan } from '../product/results.ts'
import type { Suite } from '../product/suite.ts'

const steps = [
  'General',
  'Preset',
  'Basic settings',
  'Common components',
  'Scripts',
  'Scope',
  'Session',
  'Advanced',
  'Teams and groups',
  'Schedule',
  'Review',
] as const
type StepName = (typeof steps)[number]
type StoredScan = { settings: Record<string, unknown> & { name: string }; version: number }

const buildScript = (site: string) => `projects:
  - name: Walk
    id: walk
    pageList:
      - name: Home
        url: ${site}/
        actions:
          - wait for element "body" to be found
          - analyze
`

const readSettings = ({ client }: Suite, id: string) => client<StoredScan>('GET', `/scans/${id}/settings`)

async function createScan({ client, site }: Suite, name: string, extraSettings: object = {}): Promise<string> {
  const body = { ...buildFixtureScan(name, site.url), ...extraSettings }
  return (await client<{ id: string }>('POST', '/scans', body)).id
}

/** Continues by keyboard; the heading of the next step then has the focus. */
async function goToStep({ page, heading }: Suite, name: StepName): Promise<void> {
  await pressOn(page, `Next: ${name}`)
  await heading(`New scan: ${name}`)
  await expect.poll(() => getFocusedName(page)).toBe(`New scan: ${name}`)
}

/** Session, advanced settings, no team access, and a schedule. */
async function completeFourSteps(suite: Suite): Promise<void> {
  const { page, heading } = suite
  const goToNext = (name: StepName) => goToStep(suite, name)
  await goToNext('Session')
  await tabTo(page, 'Kind of sign-in')
  await page.keyboard.type('User')
  await typeInto(page, 'User name', 'sam')
  await typeInto(page, 'Password', 'geheim')
  await goToNext('Advanced')
  await pressOn(page, /^Speed and timeouts/)
  await expectAlignedFields(page.getByRole('group', { name: 'Speed and timeouts', exact: true }))
  await typeInto(page, 'Pages a minute', '600')
  await goToNext('Teams and groups')
  await pressOn(page, 'Skip')
  await heading('New scan: Schedule')
  await tabTo(page, /^Manual/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { name: 'Upcoming runs' }).waitFor()
  await page
    .getByText(/in Europe\/Berlin/)
    .first()
    .waitFor()
  // Without a mail server, a sentence replaces the choice of recipients.
  await page.getByText(/^This server sends no email/).waitFor()
}

/** Expected settings after the input by keyboard. */
const buildExpectedSettings = (url: string) => ({
  name: 'By keyboard',
  type: 'quick',
  urls: [`${url}/`],
  ruleSet: { standard: 'en301549', axeVersion: '4.12' },
  commonComponents: { components: [{ name: 'Header', selectors: ['header'] }] },
  scripts: { own: [{ name: 'Walk', type: 'TASK' }], variables: [{ name: 'USER', value: null }] },
  excludeRules: [{ kind: 'prefix', pattern: `${url}/out/` }],
  session: { connection: { authType: 'basic', username: 'sam', password: null } },
  advanced: { pagesPerMinute: 600 },
  schedule: { frequency: 'weekly', timeZone: 'Europe/Berlin', weekdays: ['monday'] },
})

/** Leaves out the scheme of the start URL, and accepts the one that responds: https is tried first. */
async function typeWithoutScheme({ page, site }: Suite): Promise<void> {
  await typeInto(page, 'Start URLs', new URL(site.url).host)
  const reachedStatus = page.getByRole('status').filter({ hasText: `${site.url}/ answers.` })
  await reachedStatus.waitFor()
  await pressOn(page, `Use ${site.url}/`)
  await expect.poll(() => getFocusedName(page)).toBe('Start URLs')
}

/** Creates a scan by keyboard alone, with every step. */
export async function createByKeyboard(suite: Suite): Promise<void> {
  const { page, client, open, heading, site } = suite
  await client('POST', '/presets', {
    name: 'Company rules',
    ruleSet: { axeVersion: '4.12', standard: 'en301549', bestPractices: false, experimental: false, pdfUa: false },
  })
  await open('/scans/new')
  await heading('New scan: General')
  const goToNext = (name: StepName) => goToStep(suite, name)
  // On errors the summary has the focus, and its first line leads to the field.
  await pressOn(page, 'Next: Schedule')
  await page.getByRole('heading', { name: 'Fix 2 errors' }).waitFor()
  await pressOn(page, 'Name: Fill in this field.')
  await expect.poll(() => getFocusedName(page)).toBe('Name')
  await page.keyboard.insertText('By keyboard')
  await typeWithoutScheme(suite)
  // The other steps are between the first one and the schedule, on demand.
  const moreSettings = page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: /^More settings/ })
  expect(await moreSettings.textContent()).toBe('More settingsDefaults')
  expect(await page.getByRole('button', { name: 'Next: Schedule' }).isVisible()).toBe(true)
  await moreSettings.press('Enter')
  await goToNext('Preset')
  // Letters choose among the options that the server returned.
  await page.getByRole('option', { name: 'Company rules' }).waitFor({ state: 'attached' })
  // The step of this name comes first.
  for (let stop = 0; stop < 2; stop++) await tabTo(page, 'Preset')
  await page.keyboard.type('Company')
  await page.getByRole('heading', { name: 'What this preset decides' }).waitFor()
  await goToNext('Basic settings')
  await page.getByText('The preset “Company rules” decides this').waitFor()
  expect(await page.getByLabel('Standard', { exact: true }).isDisabled()).toBe(true)
  await tabTo(page, /^Standard \(recommended\)/)
  await page.keyboard.press('ArrowUp')
  await goToNext('Common components')
  await typeInto(page, 'Template pages', `${site.url}/`)
  await pressOn(page, 'Add component')
  await page.getByLabel('Name of the component').fill('Header')
  await page.getByLabel('Selectors').fill('header')
  await goToNext('Scripts')
  await pressOn(page, 'Add script')
  await page.getByLabel('Name of the script').fill('Walk')
  await page.getByLabel('Text of the script').fill(buildScript(site.url))
  await pressOn(page, 'Add variable')
  await page.getByLabel('Name of the variable').fill('USER')
  await page.getByLabel('Value').fill('geheim')
  await goToNext('Scope')
  await pressOn(page, 'Add exclude rule')
  await page.getByLabel('Rule 1: URL').fill(`${site.url}/out/`)
  await completeFourSteps(suite)
  await goToNext('Review')
  await page.getByText('Quick, up to 100 pages').last().waitFor()
  await tabTo(page, /^Start the first run now/)
  await page.keyboard.press('Space')
  await pressOn(page, 'Create scan')
  await heading('By keyboard')
  const id = /scans\/([0-9a-f-]{36})/.exec(page.url())![1]!
  const { settings } = await readSettings(suite, id)
  expect(settings).toMatchObject(buildExpectedSettings(site.url))
}

/** Reports errors on any step, and leads there. */
export async function reportErrors(suite: Suite): Promise<void> {
  const { page, open, heading, site } = suite
  await open('/scans/new?step=advanced')
  await heading('New scan: Advanced')
  await page.getByText('Browser', { exact: true }).click()
  await page.getByLabel('Window width (px)').fill('1')
  await page.getByRole('button', { name: 'Create scan' }).click()
  const summary = page.getByRole('group', { name: /^Fix 1 error$/ })
  await summary.getByText('1 other step needs a fix').waitFor()
  expect(await summary.getByRole('listitem').allTextContents()).toEqual(['Window width (px): Enter 200 or more.', 'General'])
  await expectAccessible(page)
  await summary.getByRole('button', { name: 'General' }).click()
  await heading('New scan: General')
  await expect.poll(() => getFocusedName(page)).toBe('Name')
  const errorsOfStep = page.getByRole('group', { name: /^Fix 2 errors$/ })
  expect(await errorsOfStep.getByRole('listitem').allTextContents()).toEqual([
    'Name: Fill in this field.',
    'Start URLs: Fill in this field.',
    'Advanced',
  ])
  await page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: /Advanced Needs a fix/ })
    .waitFor()
  // The server's error appears at its field as well: the name is taken.
  await createScan(suite, 'Taken')
  // It appears when the user leaves the field, and disappears with the name.
  const nameField = page.getByLabel('Name', { exact: true })
  await nameField.fill('Taken')
  await nameField.blur()
  await page.getByRole('button', { name: /^Name: This name is taken already/ }).waitFor()
  await nameField.fill('Taken later')
  await expect.poll(() => nameField.getAttribute('aria-invalid')).not.toBe('true')
  await page.getByLabel('Start URLs').fill(`${site.url}/`)
  await page.getByRole('button', { name: /Advanced Needs a fix/ }).click()
  await page.getByLabel('Window width (px)').fill('1280')
  // A click takes time. The field that it leaves is valid now, and its error must not move the button away from the pointer.
  await createScan(suite, 'Taken later')
  await page.getByRole('button', { name: 'Create scan' }).click({ delay: 500 })
  await page.getByRole('group', { name: '1 other step needs a fix' }).getByRole('button', { name: 'General' }).click()
  await heading('New scan: General')
  await expect.poll(() => getFocusedName(page)).toBe('Name')
  await page.getByText('This name is taken already. Choose a different one.', { exact: true }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Not taken')
  await page.getByRole('button', { name: 'Next: Preset' }).click({ delay: 500 })
  await heading('New scan: Preset')
}

const teams = { ours: '', late: '' }
/** Creates two teams, before any request for teams: the product fetches new ones from the account service once a minute. */
export async function makeTeams({ client }: Suite): Promise<void> {
  for (const [key, name] of [['ours', 'Ours'] as const, ['late', 'Late'] as const])
    teams[key] = (await client<{ id: string }>('POST', '/../axe-account/teams', { name, members: [] })).id
}

/** Loses no input when another user has saved in the meantime. */
export async function mergeConflict(suite: Suite): Promise<void> {
  const { page, client, open, heading, site } = suite
  const id = await createScan(suite, 'Shared work')
  await open(`/scans/${id}/edit`)
  await heading('Edit scan: General')
  const { settings, version } = await readSettings(suite, id)
  await client('PUT', `/scans/${id}`, {
    version,
    settings: { ...settings, name: 'Renamed by another', urls: [`${site.url}/`, `${site.url}/b`] },
  })
  await page.getByLabel('Name', { exact: true }).fill('My name')
  await page.getByLabel('Priority').selectOption('high')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Taken from the other change: Start URLs').waitFor()
  await page.getByText('Changed by both, your value is kept: Name').waitFor()
  await expect.poll(() => getFocusedName(page)).toBe('Someone else saved this scan in the meantime')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await heading('My name')
  expect((await readSettings(suite, id)).settings).toMatchObject({
    name: 'My name',
    priority: 'high',
    urls: [`${site.url}/`, `${site.url}/b`],
  })
  // Teams count as well, although they are set on another screen.
  await open(`/scans/${id}/edit?step=access`)
  await page.getByLabel('Ours').selectOption('Scan Viewer')
  await client('POST', '/team-access', { assignments: [{ teamId: teams.late, scanId: id, role: 'scanMember' }] })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changed by both, your value is kept: Teams').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await heading('My name')
  expect(await client('GET', `/scans/${id}/access`)).toMatchObject({ teams: [{ teamId: teams.ours }] })
}

/** Shows which URLs the scope includes, and why one is excluded. */
export async function previewScope(suite: Suite): Promise<void> {
  const { page, open, heading, site } = suite
  await open(`/scans/${await createScan(suite, 'Scope', { depth: 0 })}/edit?step=scope`)
  await heading('Edit scan: Scope')
  await page.getByRole('button', { name: 'Add exclude rule' }).click()
  // An empty field is reported at the field and in the summary, which leads to it.
  await page.getByRole('button', { name: 'Preview scope' }).click()
  const rule = page.getByLabel('Rule 1: URL')
  await expect.poll(() => rule.getAttribute('aria-invalid')).toBe('true')
  await page.getByText('Fill in this field.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Exclude rules 1: Fill in this field.' }).click()
  await expectFocus(rule)
  await page.getByLabel('Rule 1: how it matches').selectOption('glob')
  await page.getByLabel('Rule 1: URL').fill('*/secret*')
  await page.getByLabel('Check a URL').fill(`${site.url}/secret.html`)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('Rule 1: fits the pattern */secret*').waitFor()
  await page.getByRole('button', { name: 'Preview scope' }).click()
  await page.getByText(/\d+ in, \d+ out, \d+ failed\./).waitFor({ timeout: 60_000 })
  await page.getByRole('list', { name: 'URLs discovered' }).getByText('Start URL', { exact: true }).waitFor()
  await expectAccessible(page)
}

/** At most two screens, with rarely used settings closed. An error inside opens its section and gets the focus. */
export async function fitScope({ page, open, heading, site }: Suite): Promise<void> {
  const windows = { desktop: { width: 1280, height: 800 }, usual: page.viewportSize()! }
  await page.setViewportSize(windows.desktop)
  try {
    await open('/scans/new?step=scope')
    await heading('New scan: Scope')
    const lastSection = page.getByText('Duplicate URLs', { exact: true })
    await lastSection.waitFor()
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(height).toBeLessThanOrEqual(2 * windows.desktop.height)
  } finally {
    await page.setViewportSize(windows.usual)
  }
  const folded = page.getByText('Sitemaps and list of URLs', { exact: true })
  const sitemaps = page.getByLabel(/^Sitemaps \(/)
  expect(await sitemaps.isVisible()).toBe(false)
  await tabTo(page, /^Sitemaps and list of URLs/)
  await page.keyboard.press('Enter')
  await typeInto(page, /^Sitemaps \(/, `${site.url}/sitemap.xml\nno URL`)
  await folded.click()
  await page.getByText('Sitemaps: 2', { exact: true }).waitFor()
  // A section left with an error opens again.
  await expect.poll(() => sitemaps.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => sitemaps.isVisible()).toBe(true)
  await folded.click()
  await expect.poll(() => sitemaps.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Next: Session' }).click()
  await page.getByRole('button', { name: /^Sitemaps: no URL/ }).click()
  await expectFocus(sitemaps)
  await expectAccessible(page)
  // Input that a preview lacks is on another step.
  await sitemaps.fill('')
  await expect.poll(() => page.getByRole('heading', { name: /^Fix \d+ errors?$/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Preview scope' }).click()
  await page.getByRole('group', { name: '1 other step needs a fix' }).getByRole('button', { name: 'General' }).waitFor()
}

/** Tries a script step by step, with screenshots. */
export async function tryScript(suite: Suite): Promise<void> {
  const { page, open, heading, site } = suite
  await open(`/scans/${await createScan(suite, 'Dry run')}/edit?step=scripts`)
  await heading('Edit scan: Scripts')
  await page.getByRole('button', { name: 'Add script' }).click()
  // Removing a script removes its errors.
  await page.getByRole('button', { name: 'Save changes' }).click()
  const faults = page.getByRole('heading', { name: /^Fix \d+ errors?$/ })
  await faults.waitFor()
  await page.getByRole('button', { name: 'Remove script 1' }).click()
  await expect.poll(() => faults.count()).toBe(0)
  await page.getByRole('button', { name: 'Add script' }).click()
  await page.getByLabel('Text of the script').fill('projects: 1')
  await page.getByText('Line 1, column', { exact: false }).first().waitFor()
  await page.getByLabel('Text of the script').fill(buildScript(site.url))
  await page.getByRole('button', { name: 'Dry run', exact: true }).click()
  await page.getByText('Script passed.').waitFor({ timeout: 90_000 })
  await page.getByText('What the browser saw').first().click()
  const picture = page.getByRole('img', { name: /^The page after: / }).first()
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100)
  await expectAccessible(page)
}

/** Has no accessibility violation on any step, light and dark, wide and at 320 px. */
export async function checkEveryStep(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  const id = await createScan(suite, 'All steps')
  const widthByTheme = { light: 1280, dark: 320 } as const
  for (const [colorScheme, width] of Object.entries(widthByTheme) as ['light' | 'dark', number][]) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await open(`/scans/${id}/edit`)
    for (const [i, name] of steps.entries()) {
      await heading(`Edit scan: ${name}`)
      await expectAccessible(page)
      const following = steps[i + 1]
      if (following) await page.getByRole('button', { name: `Next: ${following}` }).click()
    }
  }
}
