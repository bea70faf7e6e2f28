import { useLingui } from '@lingui/react/macro'
import { Skeleton } from '../kit/page/states.tsx'

/** Shown while the code of a screen loads. */
export function PendingScreen() {
  const { t } = useLingui()
  return <Skeleton fillsScreen label={t`Loading`} />
}
