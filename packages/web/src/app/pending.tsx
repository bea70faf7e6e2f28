import { useLingui } from '@lingui/react/macro'
import { Skeleton } from '../kit/page/states.tsx'

/** While the code of a screen is on its way. */
export function Pending() {
  const { t } = useLingui()
  return <Skeleton screen label={t`Loading`} />
}
