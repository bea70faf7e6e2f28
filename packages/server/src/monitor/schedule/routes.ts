import type { scheduleApi } from '@clearway/contract/monitor/schedule/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { previewScanSchedule, previewSchedule, type ScheduleDeps } from './service.ts'

export const scheduleHandlers = (deps: ScheduleDeps): Handlers<typeof scheduleApi> => ({
  previewSchedule: ({ body }) => Promise.resolve(previewSchedule(body.schedule)),
  previewScanSchedule: ({ params, query }) => previewScanSchedule(deps, params.id, query.size),
})
