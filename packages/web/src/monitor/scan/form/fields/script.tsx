import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import layout from '../../../../kit/page/layout.module.css'
import { PickList } from '../../../../kit/form/pick-list.tsx'
import { ErrorCard } from '../../../../kit/page/states.tsx'
import { useSession } from '../../../user/model.ts'
import { scriptNamesQuery } from '../../queries.ts'
import type { ScanForm } from '../values.ts'
import { RowList, SelectField, StoredValues, TextField, useFieldError } from './controls.tsx'
import styles from './fields.module.css'
import { ScriptEditor } from './script-editor.tsx'
import { useRowFocus } from './use-row-focus.ts'

export function ScriptFields({ scanId }: { scanId: ScanId | null }) {
  return (
    <>
      <SharedScripts />
      <OwnScripts scanId={scanId} />
      <VariableRows />
    </>
  )
}

function SharedScripts() {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { watch, setValue } = useFormContext<ScanForm>()
  const errorText = useFieldError('scripts.shared')
  const scriptNames = useQuery(scriptNamesQuery(apiClient))
  const sharedTaskIds = watch('scripts.shared')
  if (scriptNames.isError)
    return (
      <ErrorCard
        title={t`The shared scripts could not be loaded.`}
        error={scriptNames.error}
        onRetry={() => void scriptNames.refetch()}
      />
    )
  const allScripts = scriptNames.data ?? []
  const getScriptsOfType = (type: 'TASK' | 'SESSION') =>
    allScripts.filter((script) => script.type === type).map(({ id, name }) => ({ id: id as string, name }))
  const sessionScripts = getScriptsOfType('SESSION')
  return (
    <>
      {getScriptsOfType('TASK').length > 0 && (
        <PickList
          id="scripts.shared"
          error={errorText}
          legend={t`Shared user flows`}
          items={getScriptsOfType('TASK')}
          selectedIds={sharedTaskIds}
          onChange={(next) => setValue('scripts.shared', next, { shouldDirty: true })}
        />
      )}
      <SelectField
        name="scripts.sharedSession"
        options={[{ value: '', label: t`None` }, ...sessionScripts.map(({ id, name }) => ({ value: id, label: name }))]}
      />
    </>
  )
}

function OwnScripts({ scanId }: { scanId: ScanId | null }) {
  const { t } = useLingui()
  const { control } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name: 'scripts.own' })
  const { listRef, onRemoved } = useRowFocus()
  return (
    <RowList
      name="scripts.own"
      listRef={listRef}
      addLabel={t`Add script`}
      onAdd={() => append({ name: '', type: 'TASK', text: '' })}
    >
      {fields.map(({ id }, i) => (
        <fieldset key={id} className={styles.item}>
          <legend className={layout.hidden}>{t`Script ${i + 1}`}</legend>
          <div className={styles.pair}>
            <TextField name={`scripts.own.${i}.name`} />
            <SelectField
              name={`scripts.own.${i}.type`}
              options={[
                { value: 'TASK', label: t`User flow` },
                { value: 'SESSION', label: t`Session: signs in` },
              ]}
            />
          </div>
          <ScriptEditor row={i} scanId={scanId} />
          <div>
            <Button
              small
              icon="close"
              label={t`Remove script ${i + 1}`}
              onPress={() => onRemoved(() => remove(i))}
            >{t`Remove`}</Button>
          </div>
        </fieldset>
      ))}
    </RowList>
  )
}

function VariableRows() {
  const { t } = useLingui()
  const { control, watch } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name: 'scripts.variables' })
  const { listRef, onRemoved } = useRowFocus()
  const storedCount = watch('scripts.variables').filter((variable) => variable.stored).length
  return (
    <RowList
      name="scripts.variables"
      listRef={listRef}
      addLabel={t`Add variable`}
      onAdd={() => append({ name: '', value: '', stored: false })}
    >
      <StoredValues stored={storedCount} />
      {fields.map(({ id }, i) => (
        <fieldset key={id} className={styles.row}>
          <legend className={layout.hidden}>{t`Variable ${i + 1}`}</legend>
          <TextField name={`scripts.variables.${i}.name`} />
          <TextField name={`scripts.variables.${i}.value`} type="password" />
          <Button
            kind="quiet"
            square
            icon="close"
            label={t`Remove variable ${i + 1}`}
            onPress={() => onRemoved(() => remove(i))}
          />
        </fieldset>
      ))}
    </RowList>
  )
}
