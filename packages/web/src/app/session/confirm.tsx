import { lazy, Suspense } from 'react'
import { withLaterTexts } from '../../kit/text/later-texts.ts'
import type { Auth } from './auth.ts'
import { useConfirmation } from './confirmation.ts'

const ConfirmDialog = lazy(() =>
  withLaterTexts(import('./confirm-dialog.tsx')).then((m) => ({ default: m.ConfirmDialog })),
)

/** Shows the question whether it is still the same person, while a call waits for the answer. */
export function Confirmation({ auth }: { auth: Auth }) {
  const end = useConfirmation()
  return (
    end && (
      <Suspense fallback={null}>
        <ConfirmDialog again={auth.again} onEnd={end} />
      </Suspense>
    )
  )
}
