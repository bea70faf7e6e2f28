import type { ScanId } from '@clearway/contract/kit/id.ts'
import { queryOptions } from '@tanstack/react-query'
import type { MonitorApi } from '../user/model.ts'

const visibleRunCount = 3

/** Loads the next scheduled runs of a scan and their time zone; null for manual scans. */
export const scanScheduleQuery = (apiClient: MonitorApi, id: ScanId) =>
  queryOptions({
    queryKey: ['scan', id, 'schedule'],
    queryFn: async ({ signal }) => {
      const { settings: scanSettings } = await apiClient.readScanSettings({ params: { id } }, signal)
      if (scanSettings.schedule.frequency === 'manual') return null
      const { next: nextRuns, left: remainingCount } = await apiClient.previewScanSchedule(
        { params: { id }, query: { size: visibleRunCount } },
        signal,
      )
      return { times: nextRuns.slice(0, visibleRunCount), remainingCount, zone: scanSettings.schedule.timeZone }
    },
  })
