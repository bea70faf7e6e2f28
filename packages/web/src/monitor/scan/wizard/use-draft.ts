import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { onReconnect } from '../../../kit/client/connection.ts'
import { useSession } from '../../user/model.ts'
import type { WizardStep } from '../form/step-name.ts'
import { findChangedFields, toStorableValues } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import { type DraftOwner, removeUnsentDraft, storeUnsentDraft } from './draft.ts'
import { createDraftCalls } from './queries.ts'

const saveDelayMs = 1000

type DraftContext = { base: ScanForm; version: number | null; left: ReadonlySet<WizardStep>; skipped: ReadonlySet<WizardStep> }
/** Time of the last save. If `isSent` is false, only this browser has the draft. */
export type SavedDraft = { savedAt: string; isSent: boolean }

type DraftCalls = ReturnType<typeof createDraftCalls>
/** Next request: a draft to save, or null to delete the existing one. */
type DraftRequest = { draft: ScanDraft | null }
type DraftSenderOptions = {
  calls: DraftCalls
  draftOwner: DraftOwner
  hasDraft: boolean
  onSaved: (saved: SavedDraft | null) => void
}
/** Sends drafts one at a time; of several waiting ones only the latest. A draft that cannot be sent stays in this browser. */
export function createDraftSender({ calls: apiCalls, draftOwner, hasDraft, onSaved }: DraftSenderOptions) {
  let waitingRequest: DraftRequest | null = null
  let isStoredLocally = false
  let unsentRequest: DraftRequest | null = null
  let sendingPromise: Promise<void> | null = null
  const sendAllRequests = async () => {
    while (waitingRequest) {
      const currentRequest: DraftRequest = waitingRequest
      const { draft: currentDraft } = currentRequest
      waitingRequest = null
      const isSent = await (currentDraft ? apiCalls.save(currentDraft) : apiCalls.discard()).then(
        () => true,
        () => false,
      )
      unsentRequest = isSent ? null : currentRequest
      if (isSent && currentDraft) removeUnsentDraft(draftOwner, currentDraft)
      if (isSent || (currentDraft && isStoredLocally)) onSaved(currentDraft && { savedAt: currentDraft.savedAt, isSent })
    }
    sendingPromise = null
  }
  const enqueueRequest = (draftRequest: DraftRequest) => {
    waitingRequest = draftRequest
    // Resending an older draft would overwrite this one.
    unsentRequest = null
    sendingPromise ??= sendAllRequests()
  }
  const saveDraft = (draft: ScanDraft) => {
    hasDraft = true
    isStoredLocally = storeUnsentDraft(draftOwner, draft)
    enqueueRequest({ draft })
  }
  return {
    save: saveDraft,
    remove: () => {
      if (!hasDraft) return
      hasDraft = false
      removeUnsentDraft(draftOwner)
      enqueueRequest({ draft: null })
    },
    resendUnsent: () => {
      if (!unsentRequest || waitingRequest) return
      if (unsentRequest.draft) saveDraft(unsentRequest.draft)
      else enqueueRequest(unsentRequest)
    },
    discard: async () => {
      waitingRequest = null
      await sendingPromise
      unsentRequest = null
      hasDraft = false
      removeUnsentDraft(draftOwner)
      await apiCalls.discard()
    },
  }
}

/** State of the draft: time of the last save, the restored draft while it exists, and the sender. */
function useDraftSender(draftOwner: DraftOwner, initialDraft: ScanDraft | null) {
  const { api: apiClient } = useSession()
  const [savedDraft, setSavedDraft] = useState<SavedDraft | null>(null)
  const [restoredDraft, setRestoredDraft] = useState(initialDraft)
  const onDraftSaved = (newlySaved: SavedDraft | null) => {
    setSavedDraft(newlySaved)
    if (!newlySaved) setRestoredDraft(null)
  }
  const [draftSender] = useState(() =>
    createDraftSender({
      calls: createDraftCalls(apiClient, draftOwner),
      draftOwner,
      hasDraft: initialDraft !== null,
      onSaved: onDraftSaved,
    }),
  )
  return { saved: savedDraft, restored: restoredDraft, sender: draftSender }
}

/** Calls `saveCurrentForm` one second after the last change, or when the user leaves before. */
function useDelayedSave(form: UseFormReturn<ScanForm>, saveCurrentForm: () => void): void {
  // Before the form is painted: on a busy machine, the first change comes before the other effects.
  useLayoutEffect(() => {
    let saveTimer: ReturnType<typeof setTimeout> | undefined
    const formSubscription = form.watch(() => {
      clearTimeout(saveTimer)
      saveTimer = setTimeout(() => {
        saveTimer = undefined
        saveCurrentForm()
      }, saveDelayMs)
    })
    // Saves pending changes when the user leaves or reloads within the delay.
    const savePendingChanges = () => {
      if (saveTimer !== undefined) saveCurrentForm()
      clearTimeout(saveTimer)
      saveTimer = undefined
    }
    window.addEventListener('pagehide', savePendingChanges)
    return () => {
      formSubscription.unsubscribe()
      window.removeEventListener('pagehide', savePendingChanges)
      savePendingChanges()
    }
  }, [form, saveCurrentForm])
}

/** Saves the form one second after the last change and after each step. Deletes the draft if the form returns to its base. */
export function useDraft(
  draftOwner: DraftOwner,
  form: UseFormReturn<ScanForm>,
  context: DraftContext,
  initialDraft: ScanDraft | null,
) {
  const { saved: savedDraft, restored: restoredDraft, sender: draftSender } = useDraftSender(draftOwner, initialDraft)
  const contextRef = useRef(context)
  const isDiscardedRef = useRef(false)
  const saveCurrentForm = useCallback(() => {
    const formValues = form.getValues()
    const { base: baseValues, version, left: passedSteps, skipped: skippedSteps } = contextRef.current
    if (isDiscardedRef.current) return
    // An unchanged form is not a draft.
    if (findChangedFields(baseValues, formValues).length === 0) return draftSender.remove()
    draftSender.save({
      values: toStorableValues(formValues),
      base: toStorableValues(baseValues),
      version,
      left: [...passedSteps],
      skipped: [...skippedSteps],
      savedAt: new Date().toISOString(),
    })
  }, [form, draftSender])
  useEffect(() => {
    const hasPassedStep = contextRef.current.left !== context.left
    contextRef.current = context
    if (hasPassedStep) saveCurrentForm()
  })
  useEffect(() => onReconnect(draftSender.resendUnsent), [draftSender])
  useDelayedSave(form, saveCurrentForm)
  /** Deletes the draft and stops saving. */
  const discardDraft = async () => {
    isDiscardedRef.current = true
    try {
      await draftSender.discard()
    } catch (error) {
      isDiscardedRef.current = false
      throw error
    }
  }
  return {
    saved: savedDraft,
    restored: restoredDraft,
    drop: discardDraft,
    /** Returns true while nothing is saved anymore. */
    isDropped: () => isDiscardedRef.current,
  }
}
