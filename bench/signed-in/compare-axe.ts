import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { tags } from '../engine/contender.ts'
import { type Application, password } from './application.ts'

type ReportIssue = { rule: string; severity: string; target: unknown; html: string; engine: string }
export type ReportPage = {
  url: string
  status: string
  isProved: boolean | null
  failure: { reason: string; detail: string } | null
  issues: readonly ReportIssue[]
}
/** Result of a comparison with axe-core's own driver, in the same session. */
export type AxeComparison = {
  compared: number
  equal: number
  /** Findings on the same element whose selector has another generated id. */
  renamedCount: number
  differences: string[]
  /** Pages of which AxeBuilder itself has two different results. */
  varying: string[]
}

/** A finding: the text that both sides write alike, and its element without generated ids. */
type Finding = { line: string; element: string }

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

/**
 * Replaces what applications generate at each visit: digits and long parts in ids, in references to them and in `data-` attributes,
 * UUIDs, and tokens of forms. All else of an element must be the same.
 */
const removeGenerated = (html: string): string =>
  html
    .replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi, '#')
    .replaceAll(/((?:nonce|token)=)[^"&]+/gi, '$1#')
    .replaceAll(
      /(\s(?:id|for|name|aria-(?:labelledby|describedby|controls|owns|activedescendant)|data-[\w-]+)=")([^"]*)"/g,
      (_, head: string, value: string) => `${head}${value.replaceAll(/[\w-]{16,}|\d+/g, '#')}"`,
    )

const toFinding = (rule: string, kind: 'fails' | 'incomplete', target: unknown, html: string): Finding => ({
  line: `${rule} ${kind} ${JSON.stringify(target)}`,
  element: `${rule} ${kind} ${removeGenerated(html)}`,
})
const toReportFinding = ({ rule, severity, target, html }: ReportIssue): Finding =>
  toFinding(rule, severity === 'needs review' ? 'incomplete' : 'fails', target, html)

/** Compares findings by selector, and the remaining ones by element. */
function compareFindings(actual: readonly Finding[], expected: readonly Finding[]) {
  const actualLines = new Set(actual.map(({ line }) => line))
  const expectedLines = new Set(expected.map(({ line }) => line))
  const extra = actual.filter(({ line }) => !expectedLines.has(line))
  const lost: Finding[] = []
  let renamedCount = 0
  for (const finding of expected.filter(({ line }) => !actualLines.has(line))) {
    const index = extra.findIndex(({ element }) => element === finding.element)
    if (index < 0) lost.push(finding)
    else {
      extra.splice(index, 1)
      renamedCount += 1
    }
  }
  return { lost, extra, renamedCount, isEqual: lost.length + extra.length === 0 }
}

const maxShownFindings = 3
const showFinding = ({ line, element }: Finding): string => `${line} ${element.slice(0, 600)}`

async function analyzeWithAxe(context: BrowserContext, url: string): Promise<Finding[]> {
  const page = await context.newPage()
  try {
    await page.goto(url)
    await waitUntilStill(page)
    const { violations, incomplete } = await new AxeBuilder({ page }).withTags(tags).analyze()
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => toFinding(id, 'fails', target, html))),
      ...incomplete.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => toFinding(id, 'incomplete', target, html))),
    ]
  } finally {
    await page.close()
  }
}

/** Orders proved pages so that the first ones are spread over all. */
function orderPages(pages: readonly ReportPage[], count: number): ReportPage[] {
  const proved = pages.filter(({ status, isProved }) => status === 'completed' && isProved)
  const step = Math.max(1, Math.floor(proved.length / count))
  const rounds = Array.from({ length: step }, (_, round) => proved.filter((_page, index) => index % step === round))
  return rounds.flat()
}

/** Tests pages of a report again with AxeBuilder, signed in the same way, until `count` of them have a result that does not vary. */
export async function compareWithAxe(
  origin: string,
  application: Application,
  pages: readonly ReportPage[],
  count = 10,
): Promise<AxeComparison> {
  const executablePath = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const options = { viewport: { width: 1280, height: 1024 }, reducedMotion: 'reduce', locale: 'en-US' } as const
  const comparison: AxeComparison = { compared: 0, equal: 0, renamedCount: 0, differences: [], varying: [] }
  try {
    // One context, because some applications replace the session's cookie at each visit.
    const context = await browser.newContext(options)
    // JupyterLab gives a second window a layout of its own.
    const signInPage = await context.newPage()
    await signIn(signInPage, origin, application)
    await signInPage.close()
    for (const { url, issues } of orderPages(pages, count)) {
      if (comparison.compared === count) break
      const findings = issues.filter(({ engine }) => engine === 'axe').map(toReportFinding)
      const expected = await analyzeWithAxe(context, url)
      const { isEqual, renamedCount, lost, extra } = compareFindings(findings, expected)
      if (isEqual) {
        comparison.compared += 1
        comparison.equal += 1
        comparison.renamedCount += renamedCount
        continue
      }
      const difference = [
        `${url}: ${lost.length} lost, ${extra.length} more`,
        ...lost.slice(0, maxShownFindings).map((finding) => `  lost: ${showFinding(finding)}`),
        ...extra.slice(0, maxShownFindings).map((finding) => `  more: ${showFinding(finding)}`),
      ].join('\n    ')
      if (compareFindings(await analyzeWithAxe(context, url), expected).isEqual) {
        comparison.compared += 1
        comparison.differences.push(difference)
      } else comparison.varying.push(difference)
    }
  } finally {
    await browser.close()
  }
  return comparison
}
