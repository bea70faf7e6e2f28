import { createHash } from 'node:crypto'
import { bannerPrefix } from '@clearway/contract/monitor/page/model.ts'
import { analyzeTab } from '../../axe/analyze.ts'
import { toFindings } from '../../axe/findings.ts'
import type { Analysis } from '../../axe/report.ts'
import { addPictures } from '../../axe/screenshots.ts'
import { openWorld } from '../../browser/isolated-world.ts'
import { readCurrentDocument } from '../../browser/tab.ts'
import type { StateOutcome } from '../../frontier.ts'
import type { Finding } from '../../outcome.ts'
import { maxElements } from '../settle/settle.ts'
import { getElapsedMs, getRemainingMs, type VisitContext } from '../visit/context.ts'
import type { FoundButton } from './close-banners.ts'
import { readFramePath } from './frames.ts'

/** Name of the common component that contains every banner, and of the state that shows one. */
export const bannerComponent = 'Consent dialog'

/** A banner to test. `path`: its element in the page; `key`: its state in all runs. */
type NewBanner = { identity: string; key: string; path: string }

/** Returns the banners that no other page has tested. */
async function claimBanners({ deps, tab }: VisitContext, buttons: readonly FoundButton[], origin: string): Promise<NewBanner[]> {
  const newBanners: NewBanner[] = []
  const pageWorld = await openWorld(tab.cdp, tab.mainFrameId, 'axe', 2000)
  for (const { container, document, manager, identity: words, hasChoice } of buttons) {
    if (container === null || (!hasChoice && manager !== null)) continue
    // A manager's banner is the same with other words.
    const identity = manager ?? words
    const key = `${origin}/ state banner ${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`
    if (!deps.banners.claim(key)) continue
    const path = document.isMain ? container : pageWorld && (await readFramePath(tab, document.frameId, pageWorld))
    if (path === null) deps.banners.release(key)
    else newBanners.push({ identity, key, path })
  }
  return newBanners
}

/** End of the URL that stands for a consent dialog, next to that of the page that showed it. */
export const consentDialogFragment = '#consent-dialog'

type DoneAnalysis = Extract<Analysis, { kind: 'done' }>

/** Builds the state that shows a banner, from the findings of the page in its element. */
async function buildBannerState(
  context: VisitContext,
  { identity, key }: NewBanner,
  findings: Finding[],
  elements: DoneAnalysis['elements'],
): Promise<StateOutcome> {
  const { deps, tab } = context
  const { pictureCache } = deps
  const url = `${key.split(' ', 1)[0]!}${consentDialogFragment}`
  const limitMs = getRemainingMs(context, 5000)
  const views = pictureCache ? await addPictures({ tab, pictureCache, findings, elements }, limitMs) : []
  return {
    url,
    key,
    label: bannerComponent,
    foundOn: `${bannerPrefix}${context.claim.url}`,
    outcome: {
      kind: 'completed',
      finalUrl: url,
      httpStatus: null,
      mimeType: 'text/html',
      durationMs: getElapsedMs(context),
      title: bannerComponent,
      stateLabel: bannerComponent,
      // A banner alone is no content: it is not part of the score.
      health: null,
      findings: findings.map((finding) => ({ ...finding, html: deps.headerSecrets.redact(finding.html) })),
      notices: [...deps.notices],
      detail: deps.headerSecrets.redact(identity),
      components: [bannerComponent],
      content: null,
      views,
    },
  }
}

/**
 * Tests the page as it arrives, with its banners, and returns the findings in each new banner as a state of its own: the
 * same banner is on every page, and its issues count once.
 */
export async function analyzeBanners(context: VisitContext, buttons: readonly FoundButton[]): Promise<StateOutcome[]> {
  const { deps, tab } = context
  const currentUrl = URL.parse((await readCurrentDocument(tab))?.url ?? '')
  const newBanners = currentUrl ? await claimBanners(context, buttons, currentUrl.origin) : []
  if (newBanners.length === 0) return []
  const analysis = await analyzeTab(tab, {
    script: deps.script,
    axe: deps.axe,
    maxElements,
    components: newBanners.map(({ path }) => [path]),
    contentCharacters: 0,
    limitMs: getRemainingMs(context, Infinity) / 3,
  })
  if (analysis.kind !== 'done') {
    for (const { key } of newBanners) deps.banners.release(key)
    return []
  }
  const keys = newBanners.map(({ key }) => key)
  const allFindings = toFindings(analysis.results, analysis.elements, keys)
  const states: StateOutcome[] = []
  for (const newBanner of newBanners) {
    const indexes = allFindings.flatMap(({ component }, index) => (component === newBanner.key ? [index] : []))
    const findings = indexes.map((index) => ({ ...allFindings[index]!, component: bannerComponent }))
    const elements = indexes.map((index) => analysis.elements[index] ?? null)
    states.push(await buildBannerState(context, newBanner, findings, elements))
  }
  return states
}
