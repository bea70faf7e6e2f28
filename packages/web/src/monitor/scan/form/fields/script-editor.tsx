import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useFormContext } from 'react-hook-form'
import { DryRun } from '../../../script/parts/dry-run.tsx'
import { ScriptText } from '../../../script/parts/text-field.tsx'
import { toSentSettings } from '../model.ts'
import type { ScanForm } from '../values.ts'

/** Editor of one of the scan's own scripts, with a dry run that uses the current settings. */
export function ScriptEditor({ row: rowIndex, scanId }: { row: number; scanId: ScanId | null }) {
  const { t } = useLingui()
  const { watch, setValue, trigger, getValues, getFieldState, formState } = useFormContext<ScanForm>()
  const textField = `scripts.own.${rowIndex}.text` as const
  const [scriptText, scriptType] = [watch(textField), watch(`scripts.own.${rowIndex}.type`)]
  const { error: textError } = getFieldState(textField, formState)
  const buildDryRunBody = () => {
    if (scriptText.trim() === '') return null
    const formValues = getValues()
    // Incomplete other scripts and variables do not block the dry run.
    const { access: _, ...dryRunSettings } = toSentSettings(
      {
        ...formValues,
        scripts: {
          ...formValues.scripts,
          own: formValues.scripts.own.filter((script, index) => index !== rowIndex && script.name.trim() && script.text.trim()),
          variables: formValues.scripts.variables.filter(
            (variable) => variable.name.trim() && (variable.value !== '' || variable.stored),
          ),
        },
      },
      null,
    )
    return {
      script: scriptText,
      type: scriptType,
      variables: dryRunSettings.scripts?.variables ?? [],
      settings: dryRunSettings,
      ...(scanId ? { scanId } : {}),
    }
  }
  return (
    <>
      <ScriptText
        id={textField}
        label={t`Text of the script`}
        value={scriptText}
        type={scriptType}
        error={textError?.message}
        onChange={(next) => setValue(textField, next, { shouldDirty: true })}
        onBlur={() => void trigger(textField)}
      />
      <DryRun getRequestBody={buildDryRunBody} />
    </>
  )
}
