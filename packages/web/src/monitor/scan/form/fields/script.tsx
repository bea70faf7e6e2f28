import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import field from '../../../../kit/form/field.module.css'
import layout from '../../../../kit/page/layout.module.css'
import { PickList } from '../../../../kit/form/pick-list.tsx'
import { ErrorCard } from '../../../../kit/page/states.tsx'
import { useSession } from '../../../user/model.ts'
import { scriptNamesQuery } from '../../queries.ts'
import type { ScanForm } from '../values.ts'
import { SelectField, StoredValues, TextField } from './controls.tsx'
import styles from './fields.module.css'
import { ScriptEditor } from './script-editor.tsx'
import { useRowFocus } from './use-row-focus.ts'

/** Shared scripts by name, scripts of the scan's own, and the variables of both. */
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
  const { api } = useSession()
  const { watch, setValue, formState } = useFormContext<ScanForm>()
  const names = useQuery(scriptNamesQuery(api))
  const tasks = watch('sharedTasks')
  if (names.isError)
    return (
      <ErrorCard
        title={t`The shared scripts could not be loaded.`}
        error={names.error}
        onRetry={() => void names.refetch()}
      />
    )
  const all = names.data ?? []
  const ofType = (type: 'TASK' | 'SESSION') =>
    all.filter((script) => script.type === type).map(({ id, name }) => ({ id: id as string, name }))
  const sessions = ofType('SESSION')
  const error = formState.errors.sharedTasks?.message
  return (
    <>
      {ofType('TASK').length > 0 && (
        <PickList
          id="sharedTasks"
          error={typeof error === 'string' ? error : undefined}
          legend={t`Shared user flows`}
          items={ofType('TASK')}
          chosen={tasks}
          onChange={(next) => setValue('sharedTasks', next, { shouldDirty: true })}
        />
      )}
      <SelectField
        name="sharedSession"
        label={t`Shared session script`}
        hint={t`Signs in before the scan begins. At most one script of a scan does.`}
        options={[
          { value: '', label: t`None` },
          ...sessions.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </>
  )
}

function OwnScripts({ scanId }: { scanId: ScanId | null }) {
  const { t } = useLingui()
  const { control } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name: 'ownScripts' })
  const { list, onRemoved } = useRowFocus()
  return (
    <div className={layout.tight} ref={list} tabIndex={-1} role="group" aria-label={t`Scripts of this scan`}>
      <p className={field.legend}>{t`Scripts of this scan`}</p>
      <p
        className={field.hint}
      >{t`A user flow walks pages and tests them on the way; a session script signs in.`}</p>
      {fields.map(({ id }, i) => (
        <fieldset key={id} className={styles.item}>
          <legend className={layout.hidden}>{t`Script ${i + 1}`}</legend>
          <div className={styles.pair}>
            <TextField name={`ownScripts.${i}.name`} label={t`Name of the script`} />
            <SelectField
              name={`ownScripts.${i}.type`}
              label={t`What it does`}
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
      <div>
        <Button small icon="plus" onPress={() => append({ name: '', type: 'TASK', text: '' })}>
          {t`Add script`}
        </Button>
      </div>
    </div>
  )
}

function VariableRows() {
  const { t } = useLingui()
  const { control, watch } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name: 'variables' })
  const { list, onRemoved } = useRowFocus()
  const stored = watch('variables').filter((one) => one.stored).length
  return (
    <div className={layout.tight} ref={list} tabIndex={-1} role="group" aria-label={t`Variables`}>
      <p className={field.legend}>{t`Variables`}</p>
      <p className={field.hint}>
        {t`A script says <NAME>, and the run puts the value there. Values are kept encrypted and never shown again.`}
      </p>
      <StoredValues stored={stored} />
      {fields.map(({ id }, i) => (
        <fieldset key={id} className={styles.row}>
          <legend className={layout.hidden}>{t`Variable ${i + 1}`}</legend>
          <TextField name={`variables.${i}.name`} label={t`Name of the variable`} placeholder="PASSWORD" />
          <TextField name={`variables.${i}.value`} label={t`Value`} type="password" />
          <Button
            kind="quiet"
            square
            icon="close"
            label={t`Remove variable ${i + 1}`}
            onPress={() => onRemoved(() => remove(i))}
          />
        </fieldset>
      ))}
      <div>
        <Button small icon="plus" onPress={() => append({ name: '', value: '', stored: false })}>
          {t`Add variable`}
        </Button>
      </div>
    </div>
  )
}
