import { useLingui } from '@lingui/react/macro'
import { useFormats } from '../../../kit/text/format.ts'

type ScorePartsProps = {
  bySite: number
  byDecisions: number
  /** Difference of the scores that are shown. */
  shownDifference: number
}

/** The parts of the difference of two scores. They do not add up to it if the page limit left out pages of either run. */
export function ScoreParts({ bySite, byDecisions, shownDifference }: ScorePartsProps) {
  const { t } = useLingui()
  const { formatSigned } = useFormats()
  const [signedSitePoints, signedDecidedPoints] = [formatSigned(bySite), formatSigned(byDecisions)]
  return bySite + byDecisions === shownDifference
    ? t`${signedSitePoints} from changes on the site, ${signedDecidedPoints} from decisions about issues`
    : t`On the pages that both runs tested: ${signedSitePoints} from changes on the site, ${signedDecidedPoints} from decisions about issues`
}
