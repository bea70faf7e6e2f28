import { buildAxeRun } from '../../axe/version.ts'
import { evaluate, renewAxe, type Driver, type StateResults } from '../driver.ts'

/** Rules that judge a page as a whole, which a state does not change. */
const pageRules = [
  'bypass',
  'document-title',
  'html-has-lang',
  'html-lang-valid',
  'html-xml-lang-mismatch',
  'landmark-one-main',
  'landmark-no-duplicate-main',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-unique',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-complementary-is-top-level',
  'landmark-main-is-top-level',
  'page-has-heading-one',
  'region',
  'heading-order',
  'meta-refresh',
  'meta-refresh-no-exceptions',
  'meta-viewport',
  'meta-viewport-large',
  'skip-link',
  'frame-title',
  'frame-title-unique',
  'frame-tested',
  'accesskeys',
  'css-orientation-lock',
  'duplicate-id',
  'duplicate-id-active',
  'duplicate-id-aria',
]

/**
 * Runs axe on the current state of a page, without its frames.
 * @param include expression of the elements to test
 * @param onlyRules ids of the only rules to run; all others of the scan's rule set if omitted
 */
export async function runAxeInState(driver: Driver, include: string, onlyRules?: readonly string[]): Promise<StateResults> {
  await evaluate(driver, 'clearwayDrive.kit.finishAnimations()')
  await renewAxe(driver)
  const { axe: axeOptions } = driver
  const json = await evaluate<string>(
    driver,
    `(() => {
      const options = ${JSON.stringify({ ...axeOptions, resultTypes: ['violations'], iframes: false, preload: false })};
      const ids = new Set(axe.getRules(options.runOnly.values).map(({ ruleId }) => ruleId));
      const only = ${JSON.stringify(onlyRules ?? null)};
      const runOnly = only && only.filter((id) => ids.has(id));
      if (runOnly && runOnly.length === 0) return '{"results":{"violations":[],"incomplete":[]},"elements":[]}';
      const off = ${JSON.stringify(pageRules)}.filter((id) => ids.has(id));
      const rules = { ...options.rules, ...Object.fromEntries(off.map((id) => [id, { enabled: false }])) };
      return ${buildAxeRun(
        `axe.run(${include}, runOnly ? { ...options, rules: {}, runOnly: { type: 'rule', values: runOnly } } : { ...options, rules })`,
        'JSON.stringify(clearwayPage.reduce({ violations: results.violations, incomplete: [] }))',
      )};
    })()`,
    20_000,
  )
  return JSON.parse(json) as StateResults
}
