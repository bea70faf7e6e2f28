import type { scheduleApi } from '@clearway/contract/monitor/schedule/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { previewOfScan, previewSchedule, type ScheduleDeps } from './service.ts'

/** Previews of schedules over HTTP. */
export const scheduleHandlers = (deps: ScheduleDeps): Handlers<typeof scheduleApi> => ({
  previewSchedule: ({ body }) => Promise.resolve(previewSchedule(body.schedule)),
  previewScanSchedule: ({ params, query }) => previewOfScan(deps, params.id, query.size),
})
