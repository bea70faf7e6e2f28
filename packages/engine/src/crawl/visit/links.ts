import { buildLinksScript } from '../../axe/fingerprint.ts'
import type { DocumentFacts } from '../../axe/report-in-page.ts'
import { callInTab } from '../../browser/isolated-world.ts'
import { getRemainingMs, type VisitContext } from './context.ts'

/** Returns the links of a page that is not analyzed; none if it does not respond. */
export async function readPageLinks(context: VisitContext): Promise<DocumentFacts['links']> {
  const { tab } = context
  const callResult = await callInTab<DocumentFacts['links']>(tab, buildLinksScript(tab), getRemainingMs(context, 5000))
  return callResult.kind === 'value' ? callResult.value : []
}
