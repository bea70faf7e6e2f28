import type { DocumentFacts } from '../../axe/report-in-page.ts'
import { call, worldOf } from '../../browser/world.ts'
import { left, type VisitContext } from './context.ts'

/** The links of a page that is not analysed; none when it does not answer. */
export async function linksOf(context: VisitContext): Promise<DocumentFacts['links']> {
  const { tab, deps } = context
  const world = await worldOf(tab.cdp, tab.mainFrameId, 'axe', 2000)
  if (!world) return []
  const injected = await call(world, deps.script, left(context, 5000))
  if (injected.kind !== 'value') return []
  const answer = await call<DocumentFacts['links']>(world, 'clearwayPage.facts(0).links', left(context, 5000))
  return answer.kind === 'value' ? answer.value : []
}
