import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { onceOnline } from '../../../kit/client/connection.ts'
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
/** Sends drafts one after the other; only the last of those that wait. What the server does not get stays in this browser. */
export function openSender(calls: Calls, of: DraftOf, onSaved: (saved: SavedDraft) => void) {
  let waiting: ScanDraft | null = null
  let isKept = false
  let unsent: ScanDraft | null = null
  let sending: Promise<void> | null = null
  const sendAll = async () => {
    while (waiting) {
      const draft: ScanDraft = waiting
      waiting = null
      const isSent = await calls.save(draft).then(
        () => true,
        () => false,
      )
      unsent = isSent ? null : draft
      if (isSent) dropUnsent(of, draft)
      if (isSent || isKept) onSaved({ at: draft.savedAt, isSent })
    }
    sending = null
  }
  const save = (draft: ScanDraft) => {
    isKept = keepUnsent(of, draft)
    waiting = draft
    // An older one that was not sent would replace this one.
    unsent = null
    sending ??= sendAll()
  }
  return {
    save,
    sendAgain: () => unsent && !waiting && save(unsent),
    discard: async () => {
      waiting = null
      await sending
      unsent = null
      dropUnsent(of)
      await calls.discard()
    },
  }
}

/** Saves the form on the server, a second after the last change and after each step. */
export function useDraft(of: DraftOf, form: UseFormReturn<ScanForm>, kept: Kept) {
  const { api } = useSession()
  const [saved, setSaved] = useState<SavedDraft | null>(null)
  const [sender] = useState(() => openSender(draftCalls(api, of), of, setSaved))
  const latest = useRef(kept)
  const ended = useRef(false)
  const save = useCallback(() => {
    const values = form.getValues()
    const { base, version, left, skipped } = latest.current
    // An unchanged form is no draft.
    if (ended.current || changedFields(base, values).length === 0) return
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
  useEffect(() => onceOnline(sender.sendAgain), [sender])
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
  return { saved, drop }
}
