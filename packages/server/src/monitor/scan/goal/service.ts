import type { SubjectRole } from '@clearway/contract/kit/permission.ts'
import { maxAnnotations, type ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { type Caller, refuse } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { deleteAnnotation, findTarget, insertAnnotation, listAnnotations, updateTarget } from './store.ts'

type GoalDeps = { db: MonitorDb }

/** Target and annotations of a scan; guests see none, because these are notes of the team. */
export async function getScanGoals(deps: GoalDeps, scanId: string, role: SubjectRole) {
  if (role === 'guest') return { target: null, annotations: [] }
  const [target, annotations] = await Promise.all([findTarget(deps, scanId), listAnnotations(deps, scanId)])
  return { target, annotations }
}

export async function saveTarget(deps: GoalDeps, scanId: string, target: ScoreTarget): Promise<ScoreTarget> {
  await updateTarget(deps, scanId, target)
  return target
}

export const removeTarget = (deps: GoalDeps, scanId: string): Promise<void> => updateTarget(deps, scanId, null)

export async function addAnnotation(deps: GoalDeps, caller: Caller, scanId: string, body: { day: string; text: string }) {
  const annotation = await insertAnnotation(deps, { scanId, authorId: caller.id, ...body })
  return (
    annotation ?? refuse('too-large', { detail: `A scan can have at most ${maxAnnotations} annotations. Delete old ones first.` })
  )
}

export async function removeAnnotation(deps: GoalDeps, scanId: string, annotationId: string) {
  return (await deleteAnnotation(deps, scanId, annotationId)) ? undefined : refuse('not-found')
}
