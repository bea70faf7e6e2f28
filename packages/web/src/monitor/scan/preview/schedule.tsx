import { useLingui } from '@lingui/react/macro'
import { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { scheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import * as z from 'zod/mini'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { schedulePreviewQuery } from '../queries.ts'
import { ownZone, scheduleOf } from '../form/schedule.ts'
import type { ScanForm } from '../form/values.ts'
import { StartTimes } from '../parts/start-times.tsx'

const shown = 5

/** When the schedule as it is would start runs. */
export function SchedulePreview() {
  const { t } = useLingui()
  const { api } = useSession()
  const { watch } = useFormContext<ScanForm>()
  const text = useDeferredValue(JSON.stringify(scheduleOf(watch())))
  const parsed = z.safeParse(Schedule, JSON.parse(text))
  const schedule = parsed.success ? parsed.data : { frequency: 'manual' as const }
  const [now] = useState(() => new Date())
  const enabled = schedule.frequency !== 'manual' && scheduleErrors('schedule', schedule, now).length === 0
  const preview = useQuery({ ...schedulePreviewQuery(api, schedule), enabled })
  if (schedule.frequency === 'manual' || !enabled) return null
  return (
    <section className={layout.tight} aria-labelledby="schedule-preview">
      <h2 id="schedule-preview">{t`Upcoming runs`}</h2>
      {preview.isError && <ErrorCard title={t`The times could not be calculated.`} error={preview.error} />}
      <div role="status">
        {preview.data && (
          <>
            <p>
              {preview.data.next3Days.length === 0
                ? t`No run starts within the next three days.`
                : t`Runs in the next three days: ${preview.data.next3Days.length}`}
            </p>
            {preview.data.next.length === 0 ? (
              <p>{t`This schedule starts no more runs.`}</p>
            ) : (
              <StartTimes
                times={preview.data.next.slice(0, shown)}
                zone={schedule.timeZone}
                ownZone={ownZone()}
              />
            )}
          </>
        )}
      </div>
    </section>
  )
}
