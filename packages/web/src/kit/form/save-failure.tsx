import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { isEditConflict } from '../client/field-errors.ts'
import { ErrorCard, Notice } from '../page/states.tsx'

type SaveFailureProps = {
  title: string
  error: unknown
  onRetry: () => void
  /** Overwrites a concurrent change by another user. */
  onOverwrite?: () => void
}

/** Explains why a form was not saved and offers ways to continue. Form input is preserved. */
export function SaveFailure({ title, error, onRetry, onOverwrite }: SaveFailureProps) {
  const { t } = useLingui()
  if (!isEditConflict(error) || !onOverwrite) return <ErrorCard title={title} error={error} onRetry={onRetry} />
  return (
    <div role="alert">
      <Notice kind="caution" title={t`Someone else changed this in the meantime.`}>
        <p>{t`What you typed is still here. Open the page again in another tab to compare, or save yours over it.`}</p>
        <div>
          <Button small onPress={onOverwrite}>{t`Save mine instead`}</Button>
        </div>
      </Notice>
    </div>
  )
}
