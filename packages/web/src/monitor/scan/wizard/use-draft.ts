import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { onReconnect } from '../../../kit/client/connection.ts'
import { useSession } from '../../user/model.ts'
import type { Step } from '../form/step-name.ts'
import { changedFields, storable } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import { type DraftOf, dropUnsent, keepUnsent } from './draft.ts'
import { draftCalls } from './queries.ts'

const pauseMs = 1000

type Kept = { base: ScanForm; version: number | null; left: ReadonlySet<Step>; skipped: ReadonlySet<Step> }
/** When a draft was saved. If not sent, only this browser has it. */
export type SavedDraft = { at: string; isSent: boolean }

type Calls = ReturnType<typeof draftCalls>
/** What is sent next: a draft, or null to delete the one that is there. */
type Next = { draft: ScanDraft | null }
type Sender = {
  calls: Calls
  of: DraftOf
  /** Whether there is a draft already. */
  isThere: boolean
  onSaved: (saved: SavedDraft | null) => void
}
/** Sends drafts one after the other; only the last of those that wait. What the server does not get stays in this browser. */
export function openSender({ calls, of, isThere, onSaved }: Sender) {
  let waiting: Next | null = null
  let isKept = false
  let unsent: Next | null = null
  let sending: Promise<void> | null = null
  const sendAll = async () => {
    while (waiting) {
      const next: Next = waiting
      const { draft } = next
      waiting = null
      const isSent = await (draft ? calls.save(draft) : calls.discard()).then(
        () => true,
        () => false,
      )
      unsent = isSent ? null : next
      if (isSent && draft) dropUnsent(of, draft)
      if (isSent || (draft && isKept)) onSaved(draft && { at: draft.savedAt, isSent })
    }
    sending = null
  }
  const send = (next: Next) => {
    waiting = next
    // An older one that was not sent would replace this one.
    unsent = null
    sending ??= sendAll()
  }
  const save = (draft: ScanDraft) => {
    isThere = true
    isKept = keepUnsent(of, draft)
    send({ draft })
  }
  return {
    save,
    remove: () => {
      if (!isThere) return
      isThere = false
      dropUnsent(of)
      send({ draft: null })
    },
    sendAgain: () => {
      if (!unsent || waiting) return
      if (unsent.draft) save(unsent.draft)
      else send(unsent)
    },
    discard: async () => {
      waiting = null
      await sending
      unsent = null
      isThere = false
      dropUnsent(of)
      await calls.discard()
    },
  }
}

/** What is known of the draft: when it was saved, the one that the form began with while it is there, and what sends the next. */
function useSender(of: DraftOf, begun: ScanDraft | null) {
  const { api } = useSession()
  const [saved, setSaved] = useState<SavedDraft | null>(null)
  const [restored, setRestored] = useState(begun)
  const onSaved = (now: SavedDraft | null) => {
    setSaved(now)
    if (!now) setRestored(null)
  }
  const [sender] = useState(() =>
    openSender({ calls: draftCalls(api, of), of, isThere: begun !== null, onSaved }),
  )
  return { saved, restored, sender }
}

/**
 * Saves the form on the server, a second after the last change and after each step; deletes the draft when the form is changed
 * back. `begun` is the draft that the form began with.
 */
export function useDraft(of: DraftOf, form: UseFormReturn<ScanForm>, kept: Kept, begun: ScanDraft | null) {
  const { saved, restored, sender } = useSender(of, begun)
  const latest = useRef(kept)
  const ended = useRef(false)
  const save = useCallback(() => {
    const values = form.getValues()
    const { base, version, left, skipped } = latest.current
    if (ended.current) return
    // An unchanged form is no draft.
    if (changedFields(base, values).length === 0) return sender.remove()
    sender.save({
      values: storable(values),
      base: storable(base),
      version,
      left: [...left],
      skipped: [...skipped],
      savedAt: new Date().toISOString(),
    })
  }, [form, sender])
  useEffect(() => {
    const isPassed = latest.current.left !== kept.left
    latest.current = kept
    if (isPassed) save()
  })
  useEffect(() => onReconnect(sender.sendAgain), [sender])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const subscription = form.watch(() => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        timer = undefined
        save()
      }, pauseMs)
    })
    // People who leave or reload within the second lose nothing.
    const saveNow = () => {
      if (timer !== undefined) save()
      clearTimeout(timer)
      timer = undefined
    }
    window.addEventListener('pagehide', saveNow)
    return () => {
      subscription.unsubscribe()
      window.removeEventListener('pagehide', saveNow)
      saveNow()
    }
  }, [form, save])
  /** Deletes the draft, and saves no more of them. */
  const drop = async () => {
    ended.current = true
    try {
      await sender.discard()
    } catch (error) {
      ended.current = false
      throw error
    }
  }
  return { saved, restored, drop }
}
