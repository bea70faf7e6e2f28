import { useLingui } from '@lingui/react/macro'
import { Fragment } from 'react'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import layout from '../../../../kit/page/layout.module.css'
import type { Control, GroupName, SettingField } from '../setting-controls.ts'
import { fieldsOfGroup, kindOf, settingControls, settingGroups } from '../setting-controls.ts'
import type { ScanForm } from '../values.ts'
import { Question, RowList, StoredValues, TextField, TickField } from './controls.tsx'
import styles from './fields.module.css'
import { useRowFocus } from './use-row-focus.ts'

/** What most scans never change, as far as it is in a step: a preset's form shows both after each other. */
export function AdvancedFields({ step }: { step: 'scope' | 'advanced' }) {
  const groups = (Object.keys(settingGroups) as GroupName[]).filter(
    (name) => settingGroups[name].step === step,
  )
  return groups.map((name) => <SettingGroup key={name} name={name} />)
}

/** Short ones share a line. */
const shortKinds: ReadonlySet<string> = new Set(['number', 'number-or-none', 'date'])
function inLines(fields: readonly SettingField[], together: boolean): SettingField[][] {
  const found: SettingField[][] = []
  const isShort = (name: SettingField | undefined) => name !== undefined && shortKinds.has(kindOf(name))
  for (const name of fields) {
    const last = found.at(-1)
    if (last && (together || (isShort(name) && isShort(last[0])))) last.push(name)
    else found.push([name])
  }
  return found
}

function SettingGroup({ name }: { name: GroupName }) {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const { title, hint, when } = settingGroups[name] as (typeof settingGroups)['words'] & Pick<Control, 'when'>
  const form = watch()
  if (when && !when(form)) return null
  const shown = fieldsOfGroup(name).filter((one) => settingControls[one].when?.(form) ?? true)
  const controls = inLines(shown, name === 'parameters').map((line) =>
    line.length === 1 ? (
      <SettingControl key={line[0]} name={line[0]!} alone />
    ) : (
      <div key={line[0]} className={styles.pair}>
        {line.map((one) => (
          <SettingControl key={one} name={one} />
        ))}
      </div>
    ),
  )
  if (!title) return <Fragment>{controls}</Fragment>
  return (
    <Question label={t(title)} hint={hint && t(hint)}>
      {controls}
    </Question>
  )
}

/** The control of one setting, by its kind. */
function SettingControl({ name, alone = false }: { name: SettingField; alone?: boolean }) {
  const kind = kindOf(name)
  switch (kind) {
    case 'flag':
      return <TickField name={name} />
    case 'number':
    case 'number-or-none':
      return <TextField name={name} type="number" {...(alone && { width: 'narrow' })} />
    case 'date':
      return <TextField name={name} type="date" />
    case 'text':
      return <TextField name={name} optional />
    case 'lines':
    case 'selectors':
      return <TextField name={name} optional rows={2} />
    case 'special':
      return <HeaderRows />
    default:
      return kind satisfies never
  }
}

function HeaderRows() {
  const { t } = useLingui()
  const { control, watch } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name: 'extraHeaders' })
  const stored = watch('extraHeaders').filter((one) => one.stored).length
  const { list, onRemoved } = useRowFocus()
  return (
    <RowList
      name="extraHeaders"
      list={list}
      add={t`Add header`}
      onAdd={() => append({ name: '', value: '', stored: false })}
    >
      <StoredValues stored={stored} />
      {fields.map(({ id }, i) => (
        <fieldset key={id} className={styles.row}>
          <legend className={layout.hidden}>{t`Header ${i + 1}`}</legend>
          <TextField name={`extraHeaders.${i}.name`} />
          <TextField name={`extraHeaders.${i}.value`} type="password" />
          <Button
            kind="quiet"
            square
            icon="close"
            label={t`Remove header ${i + 1}`}
            onPress={() => onRemoved(() => remove(i))}
          />
        </fieldset>
      ))}
    </RowList>
  )
}
