import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { ScanId } from '../../kit/id.ts'
import { queryInteger } from '../../kit/paging.ts'
import { Schedule, SchedulePreview } from './schema.ts'

export const scheduleApi = defineEndpoints({
  previewSchedule: {
    method: 'POST',
    path: '/scans/schedule/preview',
    permission: 'user',
    summary: 'Upcoming runs of a schedule that is not stored yet: in the next 3 days, and the next times',
    body: z.strictObject({ schedule: Schedule }),
    reply: SchedulePreview,
  },
  previewScanSchedule: {
    method: 'GET',
    path: '/scans/{id}/schedule/preview',
    permission: 'scan.see',
    summary: 'Upcoming runs of the stored schedule of a scan',
    params: z.object({ id: ScanId }),
    query: z.object({ size: z._default(z.optional(queryInteger(1, 100)), 3) }),
    reply: SchedulePreview,
  },
})
