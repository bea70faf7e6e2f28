import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { isConflict } from '../client/refusal.ts'
import { ErrorCard, Notice } from '../page/states.tsx'

type Props = {
  /** What failed, as a sentence. */
  title: string
  error: unknown
  onRetry: () => void
  /** Saves over what somebody else saved meanwhile. */
  onOverwrite?: () => void
}

/** Why a form was not saved, and how to go on. What was typed stays. */
export function SaveFailure({ title, error, onRetry, onOverwrite }: Props) {
  const { t } = useLingui()
  if (!isConflict(error) || !onOverwrite) return <ErrorCard title={title} error={error} onRetry={onRetry} />
  return (
    <div role="alert">
      <Notice kind="caution" title={t`Somebody else changed it meanwhile.`}>
        <p>{t`What you typed is still here. Open the page again in another tab to compare, or save yours over it.`}</p>
        <div>
          <Button small onPress={onOverwrite}>{t`Save mine instead`}</Button>
        </div>
      </Notice>
    </div>
  )
}
