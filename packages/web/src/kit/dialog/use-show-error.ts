import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { getProblemMessage } from '../client/problem-text.ts'
import { useToast } from './toast.tsx'

/** Returns a function that says why a call failed, with the id of its request to copy. */
export function useShowError(): (error: unknown) => void {
  const { t } = useLingui()
  const showToast = useToast()
  return useCallback((error) => showToast('error', t(getProblemMessage(error)), { error }), [t, showToast])
}
