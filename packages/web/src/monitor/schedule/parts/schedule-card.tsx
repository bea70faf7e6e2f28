import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { StartTimes } from '../../scan/parts/start-times.tsx'
import { useSession } from '../../user/model.ts'
import { scanScheduleQuery } from '../queries.ts'

/** When the scan runs next by itself. */
export function ScheduleCard({ scan }: { scan: ScanSummary }) {
  const { t } = useLingui()
  const { api } = useSession()
  const schedule = useQuery(scanScheduleQuery(api, scan.id))
  if (schedule.isError)
    return (
      <ErrorCard
        title={t`The schedule could not be loaded.`}
        error={schedule.error}
        onRetry={() => void schedule.refetch()}
      />
    )
  const plan = schedule.data
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <section className={`${layout.card} ${layout.pad}`} aria-labelledby="schedule">
      <div className={layout.cardHead}>
        <h2 id="schedule">{t`Upcoming runs`}</h2>
        {scan.rights.manage && (
          <Link
            className={layout.end}
            to="/scans/$scanId/edit"
            params={{ scanId: scan.id }}
            search={{ step: 'schedule' }}
          >
            {t`Change the schedule`}
          </Link>
        )}
      </div>
      {plan === null && <p>{t`This scan is started manually.`}</p>}
      {plan?.times.length === 0 && <p>{t`This schedule starts no more runs.`}</p>}
      {plan && plan.times.length > 0 && <StartTimes times={plan.times} zone={plan.zone} ownZone={own} />}
      {plan && plan.left !== null && (
        <p className={layout.sm}>
          <Plural value={plan.left} one="# run is left." other="# runs are left." />
        </p>
      )}
    </section>
  )
}
