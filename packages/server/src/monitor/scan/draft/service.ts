import { createHash } from 'node:crypto'
import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import type { Caller } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { findDraft, insertDraft, removeDraft, removeOldDrafts } from './store.ts'

type Deps = { db: MonitorDb }
/** Whose draft, and of which scan; null for a new one, with what the person started from. */
export type Draft = { caller: Caller; scanId: string | null; begunWith?: string }

// The key contains the caller: nobody reaches the draft of another person. A URL may be longer than an index takes.
const keyOf = ({ caller, scanId, begunWith = '' }: Draft) => ({
  personId: caller.id,
  scanId,
  begunWith: begunWith && createHash('sha256').update(begunWith).digest('base64url'),
})

export const draftFor = async (deps: Deps, of: Draft): Promise<{ draft: ScanDraft | null }> => ({
  draft: await findDraft(deps, keyOf(of)),
})

/** Saves a draft in place of the previous one. With two tabs, the later change wins. */
export const keepDraft = (deps: Deps, of: Draft, draft: ScanDraft): Promise<void> =>
  insertDraft(deps, keyOf(of), draft)

export const discardDraft = (deps: Deps, of: Draft): Promise<void> => removeDraft(deps, keyOf(of))

/** Deletes drafts that nobody has changed for a long time. */
export const forgetOldDrafts = (deps: Deps): Promise<void> => removeOldDrafts(deps)
