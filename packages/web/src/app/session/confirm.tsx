import { lazy, Suspense } from 'react'
import { withDeferredTexts } from '../../kit/text/deferred-texts.ts'
import type { AuthClient } from './auth.ts'
import { usePendingConfirmation } from './confirmation.ts'

const ConfirmDialog = lazy(() =>
  withDeferredTexts(import('./confirm-dialog.tsx')).then((module) => ({ default: module.ConfirmDialog })),
)

/** Shows the re-authentication dialog while a call waits for it. */
export function Confirmation({ auth }: { auth: AuthClient }) {
  const endConfirmation = usePendingConfirmation()
  return (
    endConfirmation && (
      <Suspense fallback={null}>
        <ConfirmDialog reauthenticate={auth.reauthenticate} onEnd={endConfirmation} />
      </Suspense>
    )
  )
}
