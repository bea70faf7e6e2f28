import { useLingui } from '@lingui/react/macro'
import { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { findScheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import * as z from 'zod/mini'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { schedulePreviewQuery } from '../queries.ts'
import { getOwnTimeZone, toSchedule } from '../form/model.ts'
import type { ScanForm } from '../form/values.ts'
import { StartTimes } from '../parts/start-times.tsx'

const visibleStartCount = 5

export function SchedulePreview() {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { watch } = useFormContext<ScanForm>()
  const serializedSchedule = useDeferredValue(JSON.stringify(toSchedule(watch('schedule'))))
  const parsedSchedule = z.safeParse(Schedule, JSON.parse(serializedSchedule))
  const previewedSchedule = parsedSchedule.success ? parsedSchedule.data : { frequency: 'manual' as const }
  const [openedAt] = useState(() => new Date())
  const isPreviewable =
    previewedSchedule.frequency !== 'manual' && findScheduleErrors('schedule', previewedSchedule, openedAt).length === 0
  const previewResult = useQuery({ ...schedulePreviewQuery(apiClient, previewedSchedule), enabled: isPreviewable })
  if (previewedSchedule.frequency === 'manual' || !isPreviewable) return null
  return (
    <section className={layout.tight} aria-labelledby="schedule-preview">
      <h2 id="schedule-preview">{t`Upcoming runs`}</h2>
      {previewResult.isError && <ErrorCard title={t`The times could not be calculated.`} error={previewResult.error} />}
      <div role="status">
        {previewResult.data && (
          <>
            {previewResult.data.next3Days.length > 0 && (
              <p>{t`Runs in the next three days: ${previewResult.data.next3Days.length}`}</p>
            )}
            {previewResult.data.next.length === 0 ? (
              <p>{t`This schedule starts no more runs.`}</p>
            ) : (
              <StartTimes
                times={previewResult.data.next.slice(0, visibleStartCount)}
                scheduleZone={previewedSchedule.timeZone}
                ownZone={getOwnTimeZone()}
              />
            )}
          </>
        )}
      </div>
    </section>
  )
}
