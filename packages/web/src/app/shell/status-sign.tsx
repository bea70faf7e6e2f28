import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Icon } from '../../kit/control/icon.tsx'
import layout from '../../kit/page/layout.module.css'
import { systemHealthQuery } from '../../monitor/health/queries.ts'
import { useSession } from '../../monitor/user/model.ts'

const everyMs = 60_000

/** Shown only when something is wrong with the system. */
export function StatusSign() {
  const { t } = useLingui()
  const health = useQuery({ ...systemHealthQuery(useSession()), refetchInterval: everyMs })
  if (health.isPending || health.data?.status === 'UP') return null
  return (
    <span role="status" className={`${layout.row} ${layout.bad} ${layout.sm}`}>
      <Icon name="warning" />
      {t`The system has problems`}
    </span>
  )
}
