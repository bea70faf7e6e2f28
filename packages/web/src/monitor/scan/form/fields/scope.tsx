import { useLingui } from '@lingui/react/macro'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import { FieldMessage } from '../../../../kit/form/field.tsx'
import field from '../../../../kit/form/field.module.css'
import layout from '../../../../kit/page/layout.module.css'
import type { ScanForm } from '../values.ts'
import { Disclosure } from './disclosure.tsx'
import { LinesField, Question, RowList, TickField } from './controls.tsx'
import styles from './fields.module.css'
import { useRowFocus } from './use-row-focus.ts'

/** Hosts, URL rules and URL sources: the part that presets call URL scope. */
export function ScopeFields() {
  const { t } = useLingui()
  return (
    <>
      <LinesField name="domains" isOptional lineCount={2} />
      <Question label={t`URL sources`}>
        <TickField name="sources.followLinks" />
        <TickField name="sources.sitemapsOfRobots" />
        <Disclosure label={t`Sitemaps and list of URLs`} fields={['sources.sitemaps', 'sources.urls']}>
          <div className={styles.pair}>
            <LinesField name="sources.sitemaps" isOptional lineCount={3} />
            <LinesField name="sources.urls" isOptional lineCount={3} />
          </div>
        </Disclosure>
      </Question>
      <RuleRows name="includeRules" />
    </>
  )
}

/** Exclude rules, the remaining part of the URL scope. */
export const ExcludeFields = () => <RuleRows name="excludeRules" />

type RuleListName = 'excludeRules' | 'includeRules'

/** Numbered rows, so that the reason of an excluded URL can refer to its rule. */
function RuleRows({ name }: { name: RuleListName }) {
  const { t } = useLingui()
  const { control } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name })
  const { listRef, onRemoved } = useRowFocus()
  return (
    <RowList
      name={name}
      listRef={listRef}
      addLabel={name === 'includeRules' ? t`Add include rule` : t`Add exclude rule`}
      onAdd={() => append({ kind: 'prefix', pattern: '' })}
    >
      {fields.map(({ id }, i) => (
        <RuleRow key={id} name={name} row={i} onRemove={() => onRemoved(() => remove(i))} />
      ))}
    </RowList>
  )
}

function RuleRow({ name, row: rowIndex, onRemove }: { name: RuleListName; row: number; onRemove: () => void }) {
  const { t } = useLingui()
  const { register, getFieldState, formState } = useFormContext<ScanForm>()
  const { error: patternError } = getFieldState(`${name}.${rowIndex}.pattern`, formState)
  const rowNumber = rowIndex + 1
  const errorId = `${name}-${rowIndex}-error`
  return (
    <div className={layout.tight}>
      <div className={styles.rule}>
        <span className={layout.num} aria-hidden="true">
          {rowNumber}.
        </span>
        <select
          className={`${field.control} ${field.fit}`}
          aria-label={t`Rule ${rowNumber}: how it matches`}
          {...register(`${name}.${rowIndex}.kind`)}
        >
          <option value="prefix">{t`begins with`}</option>
          <option value="glob">{t`fits the pattern`}</option>
          <option value="regex">{t`matches the expression`}</option>
        </select>
        <input
          className={field.control}
          aria-label={t`Rule ${rowNumber}: URL`}
          aria-invalid={patternError !== undefined}
          aria-describedby={patternError ? errorId : undefined}
          spellCheck={false}
          placeholder="https://www.example.org/basket/"
          {...register(`${name}.${rowIndex}.pattern`)}
        />
        <Button kind="quiet" square icon="close" label={t`Remove rule ${rowNumber}`} onPress={onRemove} />
      </div>
      {patternError?.message && <FieldMessage id={errorId}>{patternError.message}</FieldMessage>}
    </div>
  )
}
