import type { BranchRunBody, BranchRunQuery, BranchRunSummary } from '@clearway/contract/monitor/run/branch/schema.ts'
import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { createId } from '../../../kit/id.ts'
import { buildPageReply } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { countUpload } from '../../setting/service.ts'
import { type BranchRunPath, deleteBranchRun, insertBranchRun, listBranchRuns, readBranchRun } from './store.ts'

export type BranchDeps = { db: MonitorDb }

/** Stores the result of a gate. It counts as an upload of the caller. */
export async function storeBranchRun(
  deps: BranchDeps,
  caller: Caller,
  scanId: string,
  body: BranchRunBody,
): Promise<BranchRunSummary | Refusal> {
  const quotaRefusal = await countUpload(deps, caller.id)
  if (quotaRefusal) return quotaRefusal
  const id = createId()
  await insertBranchRun(deps, { id, scanId, uploadedBy: caller.id }, body)
  return (await readBranchRun(deps, { id: scanId, branchRun: id })) ?? refuse('not-found')
}

export async function listScanBranchRuns(deps: BranchDeps, scanId: string, query: BranchRunQuery) {
  const { summaries, total } = await listBranchRuns(deps, scanId, query)
  return buildPageReply(summaries, total, query)
}

export const getBranchRun = async (deps: BranchDeps, path: BranchRunPath) =>
  (await readBranchRun(deps, path)) ?? refuse('not-found')

export const removeBranchRun = async (deps: BranchDeps, path: BranchRunPath) =>
  (await deleteBranchRun(deps, path)) ? undefined : refuse('not-found')
