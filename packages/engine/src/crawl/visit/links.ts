import { linksProgram } from '../../axe/fingerprint.ts'
import type { DocumentFacts } from '../../axe/report-in-page.ts'
import { callInTab } from '../../browser/world.ts'
import { left, type VisitContext } from './context.ts'

/** The links of a page that is not analysed; none when it does not answer. */
export async function linksOf(context: VisitContext): Promise<DocumentFacts['links']> {
  const { tab } = context
  const answer = await callInTab<DocumentFacts['links']>(tab, linksProgram(tab), left(context, 5000))
  return answer.kind === 'value' ? answer.value : []
}
