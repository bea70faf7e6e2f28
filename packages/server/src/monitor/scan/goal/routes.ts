import type { goalApi } from '@clearway/contract/monitor/scan/goal/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { addAnnotation, getScanGoals, removeAnnotation, removeTarget, saveTarget } from './service.ts'

export const goalHandlers = (deps: { db: MonitorDb }): Handlers<typeof goalApi> => ({
  readScanGoals: ({ params }, { subject }) => getScanGoals(deps, params.id, subject!.role),
  saveScanTarget: ({ params, body }) => saveTarget(deps, params.id, body),
  deleteScanTarget: ({ params }) => removeTarget(deps, params.id),
  createAnnotation: ({ params, body }, { caller }) => addAnnotation(deps, caller!, params.id, body),
  deleteAnnotation: ({ params }) => removeAnnotation(deps, params.id, params.annotation),
})
