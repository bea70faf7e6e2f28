import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { IgnoreScope, issueLengths } from '@clearway/contract/monitor/issue/schema.ts'
import { useState } from 'react'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import field from '../../../kit/form/field.module.css'
import { CheckField, Field } from '../../../kit/form/field.tsx'

/** How far an ignore reaches. */
export const ignoreWords: Record<IgnoreScope, MessageDescriptor> = {
  issue: msg`This element on this page`,
  group: msg`This element on every page`,
  'rule-on-page': msg`Everything that this rule finds on this page`,
  rule: msg`Everything that this rule finds in the scan`,
}

type Props = {
  pending: boolean
  /** Why it was refused, as a sentence. */
  failure: string | undefined
  onIgnore: (ignore: { scope: IgnoreScope; reason: string }) => void
  onClose: () => void
}

/** Ignores a fault: how far that reaches, and why. */
export function IgnoreDialog({ pending, failure, onIgnore, onClose }: Props) {
  const { t } = useLingui()
  const [scope, setScope] = useState<IgnoreScope>('issue')
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title={t`Ignore`}
      submitLabel={t`Ignore`}
      pending={pending}
      onSubmit={() => onIgnore({ scope, reason: reason.trim() })}
      onClose={onClose}
    >
      <p>{t`An ignored issue is not counted, in this run or later ones, until somebody reopens it.`}</p>
      <fieldset>
        <legend className={field.legend}>{t`How far it reaches`}</legend>
        {IgnoreScope.options.map((option) => (
          <CheckField key={option} label={t(ignoreWords[option])}>
            {(control) => (
              <input
                {...control}
                type="radio"
                name="scope"
                autoFocus={option === 'issue'}
                checked={scope === option}
                onChange={() => setScope(option)}
              />
            )}
          </CheckField>
        ))}
      </fieldset>
      <Field label={t`Reason`} optional={t`optional`} error={failure}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={issueLengths.reason}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
