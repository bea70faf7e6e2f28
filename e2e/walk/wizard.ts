import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { descriptionOf, expectFocus, focused, pressOn, tabTo, typeInto } from '../screen/keyboard.ts'
import { fixtureScan } from '../product/results.ts'
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
type Stored = { settings: Record<string, unknown> & { name: string }; version: number }

const script = (site: string) => `projects:
  - name: Walk
    id: walk
    pageList:
      - name: Home
        url: ${site}/
        actions:
          - wait for element "body" to be found
          - analyze
`

const settingsOf = ({ client }: Suite, id: string) => client<Stored>('GET', `/scans/${id}/settings`)

async function newScan({ client, site }: Suite, name: string, more: object = {}): Promise<string> {
  const body = { ...fixtureScan(name, site.url), ...more }
  return (await client<{ id: string }>('POST', '/scans', body)).id
}

/** Goes on by the keyboard; the heading of the next step then has the focus. */
async function onTo({ page, heading }: Suite, name: StepName): Promise<void> {
  await pressOn(page, `Next: ${name}`)
  await heading(`New scan: ${name}`)
  await expect.poll(() => focused(page)).toBe(`New scan: ${name}`)
}

/** Session, advanced settings, nothing about teams, and a schedule. */
async function nextFourSteps(suite: Suite): Promise<void> {
  const { page, heading } = suite
  const next = (name: StepName) => onTo(suite, name)
  await next('Session')
  await tabTo(page, 'Sign-in that the server asks for')
  await page.keyboard.type('User')
  await typeInto(page, 'User name', 'sam')
  await typeInto(page, 'Password', 'geheim')
  await next('Advanced')
  await typeInto(page, 'Pages a minute', '600')
  await next('Teams and groups')
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
  // Whoever is to be told by mail learns here that nobody is.
  const me = page.getByRole('checkbox', { name: 'Me', exact: true })
  await expect.poll(() => me.isDisabled()).toBe(true)
  expect(await descriptionOf(me)).toBe('This server sends no email.')
}

/** What the keyboard entered, as it is stored. */
const expectedByKeyboard = (url: string) => ({
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

/** Leaves the scheme of the start URL out, and takes the one that answers: https is tried first. */
async function typeWithoutScheme({ page, site }: Suite): Promise<void> {
  await typeInto(page, 'Start URLs', new URL(site.url).host)
  const said = page.getByRole('status').filter({ hasText: `${site.url}/ answers.` })
  await said.waitFor()
  await pressOn(page, `Use ${site.url}/`)
  await expect.poll(() => focused(page)).toBe('Start URLs')
}

/** Makes a scan by the keyboard alone, with every step. */
export async function byKeyboard(suite: Suite): Promise<void> {
  const { page, client, open, heading, site } = suite
  await client('POST', '/presets', {
    name: 'Company rules',
    ruleSet: {
      axeVersion: '4.12',
      standard: 'en301549',
      bestPractices: false,
      experimental: false,
      pdfUa: false,
    },
  })
  await open('/scans/new')
  await heading('New scan: General')
  const next = (name: StepName) => onTo(suite, name)
  // Something is wrong: the summary has the focus, its first line leads to the field.
  await pressOn(page, 'Next: Preset')
  await page.getByRole('heading', { name: '2 things to fix' }).waitFor()
  await pressOn(page, 'Name: Fill in this field.')
  await expect.poll(() => focused(page)).toBe('Name')
  await page.keyboard.insertText('By keyboard')
  await typeWithoutScheme(suite)
  await next('Preset')
  // Letters choose among what has come from the server.
  await page.getByRole('option', { name: 'Company rules' }).waitFor({ state: 'attached' })
  await tabTo(page, 'Preset')
  await page.keyboard.type('Company')
  await page.getByRole('heading', { name: 'What this preset decides' }).waitFor()
  await next('Basic settings')
  await page.getByText('The preset “Company rules” decides this').waitFor()
  expect(await page.getByLabel('Standard', { exact: true }).isDisabled()).toBe(true)
  await tabTo(page, /^Standard \(recommended\)/)
  await page.keyboard.press('ArrowUp')
  await next('Common components')
  await typeInto(page, 'Template pages', `${site.url}/`)
  await pressOn(page, 'Add component')
  await page.getByLabel('Name of the component').fill('Header')
  await page.getByLabel('Selectors').fill('header')
  await next('Scripts')
  await pressOn(page, 'Add script')
  await page.getByLabel('Name of the script').fill('Walk')
  await page.getByLabel('Text of the script').fill(script(site.url))
  await pressOn(page, 'Add variable')
  await page.getByLabel('Name of the variable').fill('USER')
  await page.getByLabel('Value').fill('geheim')
  await next('Scope')
  await pressOn(page, 'Add exclude rule')
  await page.getByLabel('Rule 1: URL').fill(`${site.url}/out/`)
  await nextFourSteps(suite)
  await next('Review')
  await page.getByText('Quick, up to 100 pages').last().waitFor()
  await tabTo(page, /^Start the first run now/)
  await page.keyboard.press('Space')
  await pressOn(page, 'Create scan')
  await heading('By keyboard')
  const id = /scans\/([0-9a-f-]{36})/.exec(page.url())![1]!
  const { settings } = await settingsOf(suite, id)
  expect(settings).toMatchObject(expectedByKeyboard(site.url))
}

/** Says what is wrong on any step, and leads there. */
export async function errorsOnAnyStep(suite: Suite): Promise<void> {
  const { page, open, heading, site } = suite
  await open('/scans/new?step=advanced')
  await heading('New scan: Advanced')
  await page.getByLabel('Window width (px)').fill('1')
  await page.getByRole('button', { name: 'Create scan' }).click()
  await page.getByRole('heading', { name: '3 things to fix' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^General, Start URLs: / }).click()
  await heading('New scan: General')
  await expect.poll(() => focused(page)).toBe('Start URLs')
  await page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: /Advanced Needs a fix/ })
    .waitFor()
  // The server's word lands at its field as well: the name is taken.
  await newScan(suite, 'Taken')
  await page.getByLabel('Name', { exact: true }).fill('Taken')
  await page.getByLabel('Start URLs').fill(`${site.url}/`)
  await page.getByRole('button', { name: /Advanced Needs a fix/ }).click()
  await page.getByLabel('Window width (px)').fill('1280')
  // A press takes a moment. The field that it leaves is right now, and its error must not move the button away under it.
  await page.getByRole('button', { name: 'Create scan' }).click({ delay: 500 })
  await page.getByRole('button', { name: /^General, Name: This name is taken already/ }).click()
  await heading('New scan: General')
  await page.getByLabel('Name', { exact: true }).fill('Not taken')
  await page.getByRole('button', { name: 'Next: Preset' }).click({ delay: 500 })
  await heading('New scan: Preset')
}

const teams = { ours: '', late: '' }
/** Makes two teams. Before anything asks for teams: the product asks the account service for new ones once a minute. */
export async function makeTeams({ client }: Suite): Promise<void> {
  for (const [key, name] of [['ours', 'Ours'] as const, ['late', 'Late'] as const])
    teams[key] = (await client<{ id: string }>('POST', '/../axe-account/teams', { name, members: [] })).id
}

/** Loses nothing when somebody else saved meanwhile. */
export async function conflictMerged(suite: Suite): Promise<void> {
  const { page, client, open, heading, site } = suite
  const id = await newScan(suite, 'Shared work')
  await open(`/scans/${id}/edit`)
  await heading('Edit scan: General')
  const { settings, version } = await settingsOf(suite, id)
  await client('PUT', `/scans/${id}`, {
    version,
    settings: { ...settings, name: 'Renamed by another', urls: [`${site.url}/`, `${site.url}/b`] },
  })
  await page.getByLabel('Name', { exact: true }).fill('My name')
  await page.getByLabel('Priority').selectOption('high')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Taken from the other change: Start URLs').waitFor()
  await page.getByText('Changed by both, your value is kept: Name').waitFor()
  await expect.poll(() => focused(page)).toBe('Somebody else saved this scan meanwhile')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await heading('My name')
  expect((await settingsOf(suite, id)).settings).toMatchObject({
    name: 'My name',
    priority: 'high',
    urls: [`${site.url}/`, `${site.url}/b`],
  })
  // Teams count as well, which are set on another screen.
  await open(`/scans/${id}/edit?step=access`)
  await page.getByLabel('Ours').selectOption('Scan Viewer')
  await client('POST', '/team-access', {
    assignments: [{ teamId: teams.late, scanId: id, role: 'scanMember' }],
  })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changed by both, your value is kept: Teams').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await heading('My name')
  expect(await client('GET', `/scans/${id}/access`)).toMatchObject({ teams: [{ teamId: teams.ours }] })
}

/** Shows what the scope takes in, and why one URL is out. */
export async function scopePreviewed(suite: Suite): Promise<void> {
  const { page, open, heading, site } = suite
  await open(`/scans/${await newScan(suite, 'Scope', { depth: 0 })}/edit?step=scope`)
  await heading('Edit scan: Scope')
  await page.getByRole('button', { name: 'Add exclude rule' }).click()
  // What is not filled in is said at its field, and above; from there one is led to it.
  await page.getByRole('button', { name: 'Preview scope' }).click()
  const rule = page.getByLabel('Rule 1: URL')
  await expect.poll(() => rule.getAttribute('aria-invalid')).toBe('true')
  await page.getByText('Fill in this field.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Exclude rules 1: Fill in this field.' }).click()
  await expectFocus(rule)
  await page.getByLabel('Rule 1: how it matches').selectOption('glob')
  await page.getByLabel('Rule 1: URL').fill('*/secret*')
  await page.getByLabel('Why is this URL in or out?').fill(`${site.url}/secret.html`)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('Rule 1 excludes it: glob */secret*').waitFor()
  await page.getByRole('button', { name: 'Preview scope' }).click()
  await page.getByText(/\d+ in, \d+ out, \d+ failed\./).waitFor({ timeout: 60_000 })
  await page.getByRole('list', { name: 'URLs discovered' }).getByText('start URL', { exact: true }).waitFor()
  await expectAccessible(page)
}

/** Two screens at most, with what few scans need closed; what is wrong in there is opened and gets the focus. */
export async function scopeFits({ page, open, heading, site }: Suite): Promise<void> {
  const windows = { desktop: { width: 1280, height: 800 }, usual: page.viewportSize()! }
  await page.setViewportSize(windows.desktop)
  try {
    await open('/scans/new?step=scope')
    await heading('New scan: Scope')
    const last = page.getByText('Same page, different URL', { exact: true })
    await last.waitFor()
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
  // Left with an error, it is opened again.
  await expect.poll(() => sitemaps.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => sitemaps.isVisible()).toBe(true)
  await folded.click()
  await expect.poll(() => sitemaps.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Next: Session' }).click()
  await page.getByRole('button', { name: /^Sitemaps: no URL/ }).click()
  await expectFocus(sitemaps)
  await expectAccessible(page)
  // What a preview lacks is on another step.
  await sitemaps.fill('')
  await expect.poll(() => page.getByRole('heading', { name: /things? to fix$/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Preview scope' }).click()
  await page.getByRole('button', { name: /^General, Start URLs: / }).waitFor()
}

/** Tries a script step by step, with pictures. */
export async function scriptTried(suite: Suite): Promise<void> {
  const { page, open, heading, site } = suite
  await open(`/scans/${await newScan(suite, 'Dry run')}/edit?step=scripts`)
  await heading('Edit scan: Scripts')
  await page.getByRole('button', { name: 'Add script' }).click()
  // What is wrong with a script is removed with it.
  await page.getByRole('button', { name: 'Save changes' }).click()
  const faults = page.getByRole('heading', { name: /things? to fix$/ })
  await faults.waitFor()
  await page.getByRole('button', { name: 'Remove script 1' }).click()
  await expect.poll(() => faults.count()).toBe(0)
  await page.getByRole('button', { name: 'Add script' }).click()
  await page.getByLabel('Text of the script').fill('projects: 1')
  await page.getByText('Line 1, column', { exact: false }).first().waitFor()
  await page.getByLabel('Text of the script').fill(script(site.url))
  await page.getByRole('button', { name: 'Dry run', exact: true }).click()
  await page.getByText('Script passed.').waitFor({ timeout: 90_000 })
  await page.getByText('What the browser saw').first().click()
  const picture = page.getByRole('img', { name: /^The page after: / }).first()
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100)
  await expectAccessible(page)
}

/** Has no accessibility fault on any step, light and dark, wide and at 320 px. */
export async function everyStepAccessible(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  const id = await newScan(suite, 'All steps')
  const looks = { light: 1280, dark: 320 } as const
  for (const [colorScheme, width] of Object.entries(looks) as ['light' | 'dark', number][]) {
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
