import { useLingui } from '@lingui/react/macro'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../../kit/control/button.tsx'
import field from '../../../../kit/form/field.module.css'
import layout from '../../../../kit/page/layout.module.css'
import type { ScanForm } from '../values.ts'
import { Question, TextField, TickField } from './controls.tsx'
import styles from './fields.module.css'
import { useRowFocus } from './use-row-focus.ts'

/** Hosts, address rules, and where addresses come from: what a preset calls the scope of addresses. */
export function ScopeFields() {
  const { t } = useLingui()
  return (
    <>
      <TextField
        name="domains"
        label={t`Domains`}
        optional
        hint={t`Hosts that belong to the scan, one a line, like example.org or *.example.org. Empty: those of the start URLs.`}
        rows={2}
      />
      <RuleRows
        name="excludeRules"
        label={t`Exclude`}
        hint={t`A URL that fits one of these rules is out. In a pattern, * is any text and ? any letter.`}
      />
      <RuleRows
        name="includeRules"
        label={t`Include only`}
        hint={t`Once there is a rule, a URL has to fit one. Start URLs are always in.`}
      />
      <Question label={t`Where URLs come from`}>
        <TickField
          name="followLinks"
          label={t`Follow links`}
          hint={t`Off: only the start URLs, sitemaps and the list below.`}
        />
        <TickField name="sitemapsOfRobots" label={t`Sitemaps that robots.txt names`} />
      </Question>
      <TextField name="sitemaps" label={t`Sitemaps`} optional hint={t`One URL a line.`} rows={2} />
      <TextField
        name="listedUrls"
        label={t`List of URLs`}
        optional
        hint={t`One URL a line. They are visited besides what links lead to.`}
        rows={3}
      />
    </>
  )
}

type Rules = 'excludeRules' | 'includeRules'

/** Numbered, so that the reason for which an address is out can name the rule. */
function RuleRows({ name, label, hint }: { name: Rules; label: string; hint: string }) {
  const { t } = useLingui()
  const { control } = useFormContext<ScanForm>()
  const { fields, append, remove } = useFieldArray({ control, name })
  const { list, onRemoved } = useRowFocus()
  return (
    <div className={layout.tight} ref={list} tabIndex={-1} role="group" aria-label={label}>
      <p className={field.legend}>{label}</p>
      <p className={field.hint}>{hint}</p>
      {fields.map(({ id }, i) => (
        <RuleRow key={id} name={name} row={i} onRemove={() => onRemoved(() => remove(i))} />
      ))}
      <div>
        <Button small icon="plus" onPress={() => append({ kind: 'prefix', pattern: '' })}>
          {t`Add rule`}
        </Button>
      </div>
    </div>
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
