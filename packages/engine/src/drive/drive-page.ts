import { driveVersion, listDriveRules } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import type { DriveLevel, WalkedPage } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { computeHealth } from '@clearway/contract/monitor/page/model.ts'
import { addPictures } from '../axe/screenshots.ts'
import { subscribeToAbort, withTimeout } from '../browser/deadline.ts'
import type { Browsing } from '../browser/instance.ts'
import type { Tab } from '../browser/tab.ts'
import type { ScanContext } from '../crawl/context.ts'
import type { VisitResult } from '../crawl/visit/context.ts'
import { type Claim, getVisitUrl } from '../frontier.ts'
import type { Finding, PageOutcome } from '../outcome.ts'
import { evaluate, type Driver, type StateResults } from './driver.ts'
import { listNewElements, toRuleFindings, toStateFindings } from './findings.ts'
import { driveInOwnTab, type OwnTabJob } from './own-tab.ts'
import { runPart, type DriveResults } from './results.ts'
import { driveNarrow } from './rule/narrow.ts'
import { drivePage } from './rule/page.ts'
import type { PageTemplate } from './template-in-page.ts'

/** Time for driving a page, beyond the page's own. */
const maxNarrowMs = 20_000
const graceMs = 3000

type CompletedPage = Extract<PageOutcome, { kind: 'completed' }>

/** Returns the page of a visit if it can be driven: analyzed, shown as itself, and an HTML document. */
function findDrivable({ visit, plan }: ScanContext, { outcome }: VisitResult): CompletedPage | null {
  const isDriven = plan.advanced.driven !== 'off' && visit.analyze
  if (!isDriven || outcome.kind !== 'completed' || outcome.unchanged === true || outcome.health === null) return null
  return outcome.evidence === undefined ? null : outcome
}

/** Drives the tab of a visit, without pressing anything. Returns how far the page should be driven. */
async function driveVisitedTab(
  scanContext: ScanContext,
  tab: Tab,
  claim: Claim,
  { rules, results, listPictured }: Pick<OwnTabJob, 'rules' | 'results' | 'listPictured'>,
): Promise<{ level: DriveLevel; isIntact: boolean }> {
  const { visit, plan } = scanContext
  const driver: Driver = {
    tab,
    script: visit.script,
    axe: visit.axe,
    guard: null,
    deadlineAt: performance.now() + maxNarrowMs,
    world: null,
    isStale: false,
    hasPressed: false,
    reload: () => Promise.resolve(),
    listPictured,
  }
  let level: DriveLevel = 'page'
  const isRead = await runPart(results, async () => {
    results.hits.push(...(await drivePage(driver, rules)))
    level = visit.drive.chooseLevel(claim.key, await evaluate<PageTemplate>(driver, 'clearwayDrive.template.read()'))
  })
  if (!isRead || level === 'page') return { level, isIntact: isRead }
  const viewport = { width: plan.advanced.windowWidth, height: plan.advanced.windowHeight }
  const isIntact = await runPart(results, () => driveNarrow(driver, viewport, rules, { isFull: level === 'full', results }))
  return { level, isIntact }
}

/** Adds the findings of a drive to its page. The page's own findings stay as they are. */
async function addFindings(scanContext: ScanContext, tab: Tab | null, page: CompletedPage, results: DriveResults): Promise<void> {
  const { visit } = scanContext
  const componentNames = listComponentNames(scanContext)
  const { findings: ruleFindings, elements } = toRuleFindings(results.hits, componentNames)
  if (tab && visit.pictureCache && elements.some((element) => element !== null))
    await addPictures({ tab, pictureCache: visit.pictureCache, findings: ruleFindings, elements }, 4000)
  const { headerSecrets } = visit
  const drivenFindings = [...ruleFindings, ...toStateFindings(results.states, page.findings, componentNames)]
  const redactedFindings = drivenFindings.map((finding): Finding => ({ ...finding, html: headerSecrets.redact(finding.html) }))
  page.findings = [...page.findings, ...redactedFindings]
  page.health = computeHealth(page.findings.map(({ severity }) => severity))
}

const listComponentNames = ({ plan }: ScanContext): string[] => (plan.commonComponents?.components ?? []).map(({ name }) => name)

/** Appends the pictures of states to the views of their page. Returns the view number of each state. */
function addStateViews(page: CompletedPage, { states, pictures }: DriveResults): Pick<WalkedPage, 'stateViews'> {
  const picturesByState = new Map(
    [...states, ...pictures].toReversed().flatMap(({ state, picture }) => (picture ? [[state, picture.image] as const] : [])),
  )
  if (picturesByState.size === 0) return {}
  const views = [...(page.views ?? [])]
  const stateViews = [...picturesByState].toReversed().map(([state, image]) => ({ state, view: views.push(image) }))
  page.views = views
  return { stateViews }
}

/** Adds the picture of a walk to those of its page. Returns the walk; nothing for a page without a stop. */
function addWalk(page: CompletedPage, { walk }: DriveResults, redactText: (text: string) => string): Pick<WalkedPage, 'walk'> {
  if (!walk || walk.stops.length === 0) return {}
  if (walk.picture) page.views = [...(page.views ?? []), walk.picture]
  const stops = walk.stops.map((stop) => ({ ...stop, text: redactText(stop.text) }))
  return { walk: { view: walk.picture ? page.views!.length : null, stops } }
}

/**
 * Drives a page after its visit, within a time of its own, and adds the findings to the outcome. Never fails the page: what the
 * visit found is complete before. The tab is kept for the next visit only if it still responds.
 */
export async function driveVisit(
  scanContext: ScanContext,
  visited: { tab: Tab; browsing: Browsing; claim: Claim; visit: VisitResult },
  signal: AbortSignal,
): Promise<void> {
  const { tab, browsing, claim, visit } = visited
  const page = findDrivable(scanContext, visit)
  if (!page || signal.aborted) return
  const rules = new Set(listDriveRules(scanContext.plan.ruleSet.standard))
  const results: DriveResults = { hits: [], states: [], pictures: [], walk: null, isPartial: false, problems: [] }
  const listPictured = (stateResults: StateResults) =>
    listNewElements(stateResults, page.findings, listComponentNames(scanContext))
  const job = { rules, results, listPictured: scanContext.visit.pictureCache ? listPictured : null }
  const { promise: whenAborted, resolve: abort } = Promise.withResolvers<null>()
  const removeListener = subscribeToAbort(signal, () => abort(null))
  const race = <T>(maxMs: number, work: Promise<T>) => withTimeout(maxMs, Promise.race([work, whenAborted]))
  try {
    const narrowEnd = await race(maxNarrowMs + graceMs, driveVisitedTab(scanContext, tab, claim, job))
    const narrow = narrowEnd.done ? narrowEnd.value : null
    if (!narrow?.isIntact) {
      results.isPartial = true
      visit.keepTab = false
    }
    const reachedLevel = narrow?.level ?? 'page'
    // A page that may act is not opened again, so it is not driven by keys and presses.
    const level = reachedLevel === 'full' && scanContext.visit.acting.mayAct(getVisitUrl(claim)) ? 'narrow' : reachedLevel
    if (level === 'full') await driveInOwnTab(scanContext, { ...job, browsing, url: page.finalUrl, race })
    for (const problem of results.problems)
      scanContext.log({ level: 'info', message: `Driven in part: ${problem}`, url: claim.url })
    page.driven = {
      level,
      version: driveVersion,
      isPartial: results.isPartial,
      ...addWalk(page, results, (text) => scanContext.visit.headerSecrets.redact(text)),
      ...addStateViews(page, results),
    }
    await addFindings(scanContext, narrow?.isIntact ? tab : null, page, results)
  } finally {
    removeListener()
  }
}
