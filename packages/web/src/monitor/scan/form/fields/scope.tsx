import { useLingui } from '@lingui/react/macro'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import field from '../../../../kit/form/field.module.css'
import layout from '../../../../kit/page/layout.module.css'
import type { ScanForm } from '../values.ts'
import { Disclosure } from './disclosure.tsx'
import { Question, RowList, TextField, TickField } from './controls.tsx'
import styles from './fields.module.css'
import { useRowFocus } from './use-row-focus.ts'

/** Hosts, URL rules, and where URLs come from: what a preset calls the scope of URLs. */
export function ScopeFields() {
  const { t } = useLingui()
  return (
    <>
      <TextField name="domains" optional rows={2} />
      <Question label={t`Where URLs come from`}>
        <TickField name="followLinks" />
        <TickField name="sitemapsOfRobots" />
        <Disclosure label={t`Sitemaps and list of URLs`} fields={['sitemaps', 'listedUrls']}>
          <div className={styles.pair}>
            <TextField name="sitemaps" optional rows={3} />
            <TextField name="listedUrls" optional rows={3} />
          </div>
        </Disclosure>
      </Question>
      <RuleRows name="includeRules" />
    </>
  )
}

/** The rest of that scope: which URLs are no part of it. */
export const ExcludeFields = () => <RuleRows name="excludeRules" />

type Rules = 'excludeRules' | 'includeRules'

/** Numbered, so that the reason for which a URL is out can name the rule. */
function RuleRows({ name }: { name: Rules }) {
  const { t } = useLingui()
  const { control } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name })
  const { list, onRemoved } = useRowFocus()
  return (
    <RowList
      name={name}
      list={list}
      add={name === 'includeRules' ? t`Add include rule` : t`Add exclude rule`}
      onAdd={() => append({ kind: 'prefix', pattern: '' })}
    >
      {fields.map(({ id }, i) => (
        <RuleRow key={id} name={name} row={i} onRemove={() => onRemoved(() => remove(i))} />
      ))}
    </RowList>
  )
}

function RuleRow({ name, row, onRemove }: { name: Rules; row: number; onRemove: () => void }) {
  const { t } = useLingui()
  const { register, getFieldState, formState } = useFormContext<ScanForm>()
  const { error } = getFieldState(`${name}.${row}.pattern`, formState)
  const number = row + 1
  const errorId = `${name}-${row}-error`
  return (
    <div className={layout.tight}>
      <div className={styles.rule}>
        <span className={layout.num} aria-hidden="true">
          {number}.
        </span>
        <select
          className={`${field.control} ${field.fit}`}
          aria-label={t`Rule ${number}: how it matches`}
          {...register(`${name}.${row}.kind`)}
        >
          <option value="prefix">{t`begins with`}</option>
          <option value="glob">{t`fits the pattern`}</option>
          <option value="regex">{t`matches the expression`}</option>
        </select>
        <input
          className={field.control}
          aria-label={t`Rule ${number}: URL`}
          aria-invalid={error !== undefined}
          aria-describedby={error ? errorId : undefined}
          spellCheck={false}
          placeholder="https://www.example.org/basket/"
          {...register(`${name}.${row}.pattern`)}
        />
        <Button kind="quiet" square icon="close" label={t`Remove rule ${number}`} onPress={onRemove} />
      </div>
      {error?.message && (
        <p id={errorId} className={field.error}>
          {error.message}
        </p>
      )}
    </div>
  )
}
