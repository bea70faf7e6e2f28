import type { ScanId } from '@clearway/contract/kit/id.ts'
import { queryOptions } from '@tanstack/react-query'
import type { MonitorApi } from '../user/model.ts'

const shown = 3

/** Upcoming runs of a scan by its stored schedule, and their time zone; null when only people start them. */
export const scanScheduleQuery = (api: MonitorApi, id: ScanId) =>
  queryOptions({
    queryKey: ['scan', id, 'schedule'],
    queryFn: async ({ signal }) => {
      const { settings } = await api.readScanSettings({ params: { id } }, signal)
      if (settings.schedule.frequency === 'manual') return null
      const { next, left } = await api.previewScanSchedule({ params: { id }, query: { size: shown } }, signal)
      return { times: next.slice(0, shown), left, zone: settings.schedule.timeZone }
    },
  })
