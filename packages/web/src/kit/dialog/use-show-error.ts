import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { getProblemMessage } from '../client/problem-text.ts'
import { useToast } from './toast.tsx'

/**
 * Returns a function that says why a call failed, with the id of its request to copy.
 * @param action sentence that names what failed
 */
export function useShowError(action?: string): (error: unknown) => void {
  const { t } = useLingui()
  const showToast = useToast()
  return useCallback(
    (error) => showToast('error', [action, t(getProblemMessage(error))].filter(Boolean).join(' '), { error }),
    [t, showToast, action],
  )
}
