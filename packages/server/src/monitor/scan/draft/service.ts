import { createHash } from 'node:crypto'
import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import type { Caller } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { findDraft, insertDraft, removeDraft } from './store.ts'

type DraftDeps = { db: MonitorDb }
/** A draft's person and scan; the scan is null for a new one, with the starting point of the person. */
export type DraftOwner = { caller: Caller; scanId: string | null; begunWith?: string }

// The key contains the caller, so drafts of other people are unreachable. URLs are hashed, since an index limits their length.
const toDraftKey = ({ caller, scanId, begunWith = '' }: DraftOwner) => ({
  personId: caller.id,
  scanId,
  begunWith: begunWith && createHash('sha256').update(begunWith).digest('base64url'),
})

export const getDraft = async (deps: DraftDeps, draftOwner: DraftOwner): Promise<{ draft: ScanDraft | null }> => ({
  draft: await findDraft(deps, toDraftKey(draftOwner)),
})

/** Saves a draft in place of the previous one. With two tabs, the later change wins. */
export const saveDraft = (deps: DraftDeps, draftOwner: DraftOwner, draft: ScanDraft): Promise<void> =>
  insertDraft(deps, toDraftKey(draftOwner), draft)

export const deleteDraft = (deps: DraftDeps, draftOwner: DraftOwner): Promise<void> => removeDraft(deps, toDraftKey(draftOwner))
