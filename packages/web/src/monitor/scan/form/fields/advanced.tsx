import { useLingui } from '@lingui/react/macro'
import type { SettingKind } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { Fragment, type ReactNode } from 'react'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import layout from '../../../../kit/page/layout.module.css'
import { findCustomizedFields } from '../steps.ts'
import type { SettingGroupInfo, GroupName, SettingSection, SettingField } from '../setting-controls.ts'
import { getFieldsOfGroup, getSettingKind, settingControls, settingGroups } from '../setting-controls.ts'
import type { ScanForm } from '../values.ts'
import {
  ChangedNamesContext,
  ChoiceField,
  LinesField,
  NullableTextField,
  NumberField,
  Question,
  RowList,
  StoredValues,
  TextField,
  TickField,
} from './controls.tsx'
import { Disclosure } from './disclosure.tsx'
import styles from './fields.module.css'
import { useRowFocus } from './use-row-focus.ts'

/** Elements below the control of a setting. */
type SettingExtras = Partial<Record<SettingField, ReactNode>>

/** Settings of a section that most scans never change. A preset's form shows all sections in sequence. */
export function AdvancedFields({ section, extras = {} }: { section: SettingSection; extras?: SettingExtras }) {
  const { watch } = useFormContext<ScanForm>()
  const sectionGroups = (Object.keys(settingGroups) as GroupName[]).filter((name) => settingGroups[name].section === section)
  return (
    <ChangedNamesContext value={findCustomizedFields(watch())}>
      {sectionGroups.map((name) => (
        <SettingGroup key={name} name={name} extras={extras} />
      ))}
    </ChangedNamesContext>
  )
}

/** Kinds of controls that can share a line with controls of the same size. */
const controlSizes: Partial<Record<SettingKind, string>> = {
  number: 'line',
  'number-or-none': 'line',
  date: 'line',
  lines: 'area',
}
function groupIntoLines(fields: readonly SettingField[]): SettingField[][] {
  const controlLines: SettingField[][] = []
  const getControlSize = (name: SettingField | undefined) => name && controlSizes[getSettingKind(name)]
  for (const name of fields) {
    const lastLine = controlLines.at(-1)
    const controlSize = getControlSize(name)
    if (lastLine && controlSize && getControlSize(lastLine[0]) === controlSize) lastLine.push(name)
    else controlLines.push([name])
  }
  return controlLines
}

function SettingGroup({ name, extras }: { name: GroupName; extras: SettingExtras }) {
  const { t } = useLingui()
  const { watch } = useFormContext<ScanForm>()
  const { title: groupTitle, hint: groupHint, when: isRelevant, isFolded }: SettingGroupInfo = settingGroups[name]
  const formValues = watch()
  if (isRelevant && !isRelevant(formValues)) return null
  const visibleFields = getFieldsOfGroup(name).filter((field) => settingControls[field].when?.(formValues) ?? true)
  const controlElements = groupIntoLines(visibleFields).map((line) =>
    line.length === 1 ? (
      <Fragment key={line[0]}>
        <SettingControl name={line[0]!} alone />
        {extras[line[0]!]}
      </Fragment>
    ) : (
      <div key={line[0]} className={styles.pair}>
        {line.map((one) => (
          <SettingControl key={one} name={one} />
        ))}
      </div>
    ),
  )
  if (!groupTitle) return controlElements
  const groupTexts = { label: t(groupTitle), hint: groupHint && t(groupHint) }
  return isFolded ? (
    <Disclosure {...groupTexts} fields={visibleFields}>
      {controlElements}
    </Disclosure>
  ) : (
    <Question {...groupTexts}>{controlElements}</Question>
  )
}

function SettingControl({ name, alone: isAlone = false }: { name: SettingField; alone?: boolean }) {
  const settingKind = getSettingKind(name)
  switch (settingKind) {
    case 'flag':
      return <TickField name={name} />
    case 'number':
    case 'number-or-none':
      return <NumberField name={name} {...(isAlone && { width: 'narrow' })} />
    case 'date':
      return <NullableTextField name={name} type="date" />
    case 'text':
      return <NullableTextField name={name} type="text" isOptional />
    case 'lines':
    case 'selectors':
      return <LinesField name={name} isOptional lineCount={2} />
    case 'choice':
      return <DrivenField />
    case 'special':
      return <HeaderRows />
    default:
      return settingKind satisfies never
  }
}

function DrivenField() {
  const { t } = useLingui()
  return (
    <ChoiceField
      name="advanced.driven"
      options={[
        { value: 'off', label: t`No pages` },
        { value: 'templates', label: t`The first page of each template, and a share of the others` },
        { value: 'every', label: t`Every page` },
      ]}
    />
  )
}

function HeaderRows() {
  const { t } = useLingui()
  const { control, watch } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name: 'advanced.extraHeaders' })
  const storedCount = watch('advanced.extraHeaders').filter((header) => header.stored).length
  const { listRef, onRemoved } = useRowFocus()
  return (
    <RowList
      name="advanced.extraHeaders"
      listRef={listRef}
      addLabel={t`Add header`}
      onAdd={() => append({ name: '', value: '', stored: false })}
    >
      <StoredValues stored={storedCount} />
      {fields.map(({ id }, i) => (
        <fieldset key={id} className={styles.row}>
          <legend className={layout.hidden}>{t`Header ${i + 1}`}</legend>
          <TextField name={`advanced.extraHeaders.${i}.name`} />
          <TextField name={`advanced.extraHeaders.${i}.value`} type="password" />
          <Button kind="quiet" square icon="close" label={t`Remove header ${i + 1}`} onPress={() => onRemoved(() => remove(i))} />
        </fieldset>
      ))}
    </RowList>
  )
}
