import { useLingui } from '@lingui/react/macro'
import { useFormats } from '../../../kit/text/format.ts'

type TrendPartsProps = {
  /** Displayed points, summed over the runs of a trend. */
  bySite: number
  byDecisions: number
}

/** Parts of a trend, if decisions about issues, such as ignores, caused one. */
export function TrendParts({ bySite, byDecisions }: TrendPartsProps) {
  const { t } = useLingui()
  const { formatSigned } = useFormats()
  const [signedSitePoints, signedDecidedPoints] = [formatSigned(bySite), formatSigned(byDecisions)]
  return t`Run by run: ${signedSitePoints} from changes on the site, ${signedDecidedPoints} from decisions about issues`
}
