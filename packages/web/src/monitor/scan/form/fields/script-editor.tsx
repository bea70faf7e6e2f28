import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useFormContext } from 'react-hook-form'
import { DryRun } from '../../../script/parts/dry-run.tsx'
import { ScriptText } from '../../../script/parts/text-field.tsx'
import { settingsOf } from '../model.ts'
import type { ScanForm } from '../values.ts'

/** The text of one of the scan's own scripts, and a try of it with the settings as they stand. */
export function ScriptEditor({ row, scanId }: { row: number; scanId: ScanId | null }) {
  const { t } = useLingui()
  const { watch, setValue, trigger, getValues, getFieldState, formState } = useFormContext<ScanForm>()
  const name = `ownScripts.${row}.text` as const
  const [text, type] = [watch(name), watch(`ownScripts.${row}.type`)]
  const { error } = getFieldState(name, formState)
  const body = () => {
    if (text.trim() === '') return null
    const values = getValues()
    // Other scripts and variables that are not complete yet are no hindrance.
    const { access: _, ...settings } = settingsOf(
      {
        ...values,
        ownScripts: values.ownScripts.filter((one, i) => i !== row && one.name.trim() && one.text.trim()),
        variables: values.variables.filter((one) => one.name.trim() && (one.value !== '' || one.stored)),
      },
      null,
    )
    return {
      script: text,
      type,
      variables: settings.scripts?.variables ?? [],
      settings,
      ...(scanId ? { scanId } : {}),
    }
  }
  return (
    <>
      <ScriptText
        id={name}
        label={t`Text of the script`}
        value={text}
        type={type}
        error={error?.message}
        onChange={(next) => setValue(name, next, { shouldDirty: true })}
        onBlur={() => void trigger(name)}
      />
      <DryRun body={body} />
    </>
  )
}
