import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Page } from 'playwright-core'
import { tags, toLines } from '../engine/contender.ts'
import { type Application, password } from './application.ts'

type ReportIssue = { rule: string; severity: string; target: unknown; engine: string }
export type ReportPage = {
  url: string
  status: string
  isProved: boolean | null
  failure: { reason: string; detail: string } | null
  issues: readonly ReportIssue[]
}
/** Result of a comparison with axe-core's own driver, in the same session. */
export type AxeComparison = { compared: number; equal: number; differences: string[] }

/** Waits until a page no longer changes: applications build it after it has loaded. */
async function waitUntilStill(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 15_000 }).catch(() => undefined)
  let length = -1
  for (let stillCount = 0, round = 0; stillCount < 4 && round < 40; round++) {
    const currentLength = await page.evaluate(() => document.documentElement.outerHTML.length).catch(() => -1)
    stillCount = currentLength === length ? stillCount + 1 : 0
    length = currentLength
    await page.waitForTimeout(500)
  }
}

async function signIn(page: Page, origin: string, { signInPath, user, fields }: Application): Promise<void> {
  await page.goto(`${origin}${signInPath}`)
  await page.locator(fields.password).first().waitFor()
  if (fields.user) await page.locator(fields.user).first().fill(user)
  await page.locator(fields.password).first().fill(password)
  await page.locator(fields.submit).first().click()
  await page.locator(fields.password).first().waitFor({ state: 'hidden' })
  await waitUntilStill(page)
}

const toReportLine = ({ rule, severity, target }: ReportIssue): string =>
  `${rule} ${severity === 'needs review' ? 'incomplete' : 'fails'} ${JSON.stringify(target)}`

/** Chooses pages spread over all proved ones. */
function choosePages(pages: readonly ReportPage[], count: number): ReportPage[] {
  const proved = pages.filter(({ status, isProved }) => status === 'completed' && isProved)
  const step = Math.max(1, proved.length / count)
  return Array.from({ length: Math.min(count, proved.length) }, (_, index) => proved[Math.floor(index * step)]!)
}

/** Tests pages of a report again with AxeBuilder, signed in the same way. */
export async function compareWithAxe(
  origin: string,
  application: Application,
  pages: readonly ReportPage[],
  count = 10,
): Promise<AxeComparison> {
  const executablePath = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const options = { viewport: { width: 1280, height: 1024 }, reducedMotion: 'reduce', locale: 'en-US' } as const
  const chosenPages = choosePages(pages, count)
  const differences: string[] = []
  try {
    // One context, because some applications replace the session's cookie at each visit.
    const context = await browser.newContext(options)
    await signIn(await context.newPage(), origin, application)
    for (const { url, issues } of chosenPages) {
      const page = await context.newPage()
      await page.goto(url)
      await waitUntilStill(page)
      const expected = toLines(await new AxeBuilder({ page }).withTags(tags).analyze())
      await page.close()
      const lines = new Set(issues.filter(({ engine }) => engine === 'axe').map(toReportLine))
      const lost = expected.filter((line) => !lines.has(line))
      const extra = [...lines].filter((line) => !expected.includes(line))
      if (lost.length + extra.length > 0)
        differences.push(`${url}: ${lost.length} lost, ${extra.length} more; lost: ${lost[0]}; more: ${extra[0]}`)
    }
  } finally {
    await browser.close()
  }
  return { compared: chosenPages.length, equal: chosenPages.length - differences.length, differences }
}
