import { useLingui } from '@lingui/react/macro'
import type { SettingKind } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import layout from '../../../../kit/page/layout.module.css'
import type { Group, GroupName, Section, SettingField } from '../setting-controls.ts'
import { fieldsOfGroup, kindOf, settingControls, settingGroups } from '../setting-controls.ts'
import type { ScanForm } from '../values.ts'
import { Question, RowList, StoredValues, TextField, TickField } from './controls.tsx'
import { Disclosure } from './disclosure.tsx'
import styles from './fields.module.css'
import { useRowFocus } from './use-row-focus.ts'

/** What most scans never change, as far as it is asked for in a section: a preset's form shows all of them after each other. */
export function AdvancedFields({ section }: { section: Section }) {
  const groups = (Object.keys(settingGroups) as GroupName[]).filter(
    (name) => settingGroups[name].section === section,
  )
  return groups.map((name) => <SettingGroup key={name} name={name} />)
}

/** Kinds of controls that stand side by side with those of the same size. */
const sizes: Partial<Record<SettingKind, string>> = {
  number: 'line',
  'number-or-none': 'line',
  date: 'line',
  lines: 'area',
}
function inLines(fields: readonly SettingField[]): SettingField[][] {
  const found: SettingField[][] = []
  const sizeOf = (name: SettingField | undefined) => name && sizes[kindOf(name)]
  for (const name of fields) {
    const last = found.at(-1)
    const size = sizeOf(name)
    if (last && size && sizeOf(last[0]) === size) last.push(name)
    else found.push([name])
  }
  return found
}

function SettingGroup({ name }: { name: GroupName }) {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const { title, hint, when, isFolded }: Group = settingGroups[name]
  const form = watch()
  if (when && !when(form)) return null
  const shown = fieldsOfGroup(name).filter((one) => settingControls[one].when?.(form) ?? true)
  const controls = inLines(shown).map((line) =>
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
  if (!title) return controls
  const words = { label: t(title), hint: hint && t(hint) }
  return isFolded ? (
    <Disclosure {...words} fields={shown}>
      {controls}
    </Disclosure>
  ) : (
    <Question {...words}>{controls}</Question>
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
