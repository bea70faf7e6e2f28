import { useCallback, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Step } from '../form/step-name.ts'
import { changedFields, storable } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import type { Draft } from './draft.ts'
import { dropDraft, writeDraft } from './draft.ts'

const pauseMs = 1000

type Kept = Pick<Draft, 'base' | 'version'> & { left: ReadonlySet<Step>; skipped: ReadonlySet<Step> }

/** Keeps what was entered a second after the last change, so that it outlives a reload. */
export function useDraft(key: string, form: UseFormReturn<ScanForm>, kept: Kept) {
  const [savedAt, setSavedAt] = useState<string | null>(null)
  const latest = useRef(kept)
  useEffect(() => {
    latest.current = kept
  })
  const ended = useRef(false)
  const save = useCallback(() => {
    if (ended.current) return
    const values = form.getValues()
    const at = new Date().toISOString()
    const { base, version, left, skipped } = latest.current
    // Nothing to keep is no draft.
    if (changedFields(base, values).length === 0) return
    const draft: Draft = {
      values: storable(values),
      base: storable(base),
      version,
      left: [...left],
      skipped: [...skipped],
      savedAt: at,
    }
    if (writeDraft(key, draft)) setSavedAt(at)
  }, [form, key])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const subscription = form.watch(() => {
      clearTimeout(timer)
      timer = setTimeout(save, pauseMs)
    })
    return () => {
      clearTimeout(timer)
      subscription.unsubscribe()
    }
  }, [form, save])
  const drop = useCallback(() => {
    ended.current = true
    dropDraft(key)
  }, [key])
  return { savedAt, save, drop }
}
