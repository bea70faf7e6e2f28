import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { StartTimes } from '../../scan/parts/start-times.tsx'
import { useSession } from '../../user/model.ts'
import { scanScheduleQuery } from '../queries.ts'

export function ScheduleCard({ scan }: { scan: ScanSummary }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const scheduleResult = useQuery(scanScheduleQuery(apiClient, scan.id))
  if (scheduleResult.isError)
    return (
      <ErrorCard
        title={t`The schedule could not be loaded.`}
        error={scheduleResult.error}
        onRetry={() => void scheduleResult.refetch()}
      />
    )
  const schedulePlan = scheduleResult.data
  // The card of the runs offers one.
  if (!schedulePlan) return null
  const ownTimeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <section className={`${layout.card} ${layout.pad}`} aria-labelledby="schedule">
      <div className={layout.cardHead}>
        <h2 id="schedule">{t`Upcoming runs`}</h2>
        {scan.rights.manage && (
          <Link
            className={`${layout.end} ${layout.sm}`}
            to="/scans/$scanId/edit"
            params={{ scanId: scan.id }}
            search={{ step: 'schedule' }}
          >
            {t`Change the schedule`}
          </Link>
        )}
      </div>
      {schedulePlan.times.length === 0 && <p>{t`This schedule starts no more runs.`}</p>}
      {schedulePlan.times.length > 0 && (
        <StartTimes times={schedulePlan.times} scheduleZone={schedulePlan.zone} ownZone={ownTimeZone} />
      )}
      {schedulePlan.remainingCount !== null && (
        <p className={layout.sm}>
          <Plural value={schedulePlan.remainingCount} one="# run is left." other="# runs are left." />
        </p>
      )}
    </section>
  )
}
