import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Icon } from '../../kit/control/icon.tsx'
import layout from '../../kit/page/layout.module.css'
import { systemHealthQuery } from '../../monitor/health/queries.ts'
import { useSession } from '../../monitor/user/model.ts'

const pollIntervalMs = 60_000

/** Visible only if the system has a problem. */
export function StatusSign() {
  const { t } = useLingui()
  const healthQuery = useQuery({ ...systemHealthQuery(useSession()), refetchInterval: pollIntervalMs })
  // A failed request keeps the previous state, which may be over.
  if (healthQuery.isPending || (healthQuery.isSuccess && healthQuery.data.status === 'UP')) return null
  return (
    <span role="status" className={`${layout.row} ${layout.bad} ${layout.sm}`}>
      <Icon name="warning" />
      {t`The system has problems`}
    </span>
  )
}
