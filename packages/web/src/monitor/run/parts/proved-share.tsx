import { Plural } from '@lingui/react/macro'
import { useFormats } from '../../../kit/text/format.ts'
import type { RunOverviewData } from '../queries.ts'

type ProvedPages = Pick<RunOverviewData['pages'], 'proved' | 'unproved'>

export const isProofExpected = ({ proved, unproved }: ProvedPages): boolean => proved + unproved > 0

/** Pages that were proved to be shown to the signed-in user. */
export function ProvedShare({ pages }: { pages: ProvedPages }) {
  const { formatNumber } = useFormats()
  const provedCount = formatNumber(pages.proved)
  return <Plural value={pages.proved + pages.unproved} one={`${provedCount} of # page`} other={`${provedCount} of # pages`} />
}
