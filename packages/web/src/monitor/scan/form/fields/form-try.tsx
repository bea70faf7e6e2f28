import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ReactNode } from 'react'
import { type FieldPath, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import layout from '../../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../../kit/page/states.tsx'
import { type TryName, useTry } from '../../preview/use-try.ts'
import { toSentSettings } from '../model.ts'
import type { ScanForm } from '../values.ts'

/** Tries the settings of the form, as they are, if some of its fields are valid. */
export function useFormTry<Name extends TryName>(name: Name, scanId: ScanId | null, fields: readonly FieldPath<ScanForm>[]) {
  const { trigger, getValues } = useFormContext<ScanForm>()
  const { start, ...tryState } = useTry(name)
  const begin = async () => {
    // The server reports errors of other steps.
    if (!(await trigger(fields, { shouldFocus: true }))) return
    const { access: _, ...settings } = toSentSettings(getValues(), null)
    void start({ settings, ...(scanId ? { scanId } : {}) })
  }
  return { ...tryState, begin: () => void begin() }
}

type TryControlsProps = {
  formTry: { isWorking: boolean; failure: unknown; begin: () => void; stop: () => void }
  texts: { label: string; hint: string; working: string; failure: string }
  /** Announced result. */
  children: ReactNode
}

export function TryControls({ formTry: { isWorking, failure, begin, stop }, texts, children }: TryControlsProps) {
  const { t } = useLingui()
  return (
    <>
      <div className={layout.row}>
        <Button icon="play" pending={isWorking} onPress={begin}>
          {texts.label}
        </Button>
        {isWorking && <Button icon="stop" onPress={stop}>{t`Stop`}</Button>}
      </div>
      <p className={`${layout.muted} ${layout.sm}`}>{texts.hint}</p>
      <div role="status">
        {isWorking && <p className={layout.muted}>{texts.working}</p>}
        {children}
      </div>
      {failure !== null && <ErrorCard title={texts.failure} error={failure} onRetry={begin} />}
    </>
  )
}
