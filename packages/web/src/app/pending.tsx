import { useLingui } from '@lingui/react/macro'
import { Skeleton } from '../kit/page/states.tsx'

export function PendingScreen() {
  const { t } = useLingui()
  return <Skeleton fillsScreen label={t`Loading`} />
}
