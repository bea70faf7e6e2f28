import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { IgnoreScope, maxIssueLengths } from '@clearway/contract/monitor/issue/schema.ts'
import { useState } from 'react'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import field from '../../../kit/form/field.module.css'
import { CheckField, Field } from '../../../kit/form/field.tsx'

/** Labels of the possible scopes of an ignore. */
export const ignoreScopeLabels: Record<IgnoreScope, MessageDescriptor> = {
  issue: msg`This element on this page`,
  group: msg`This element on every page`,
  'rule-on-page': msg`Everything that this rule finds on this page`,
  rule: msg`Everything that this rule finds in the scan`,
}

type IgnoreDialogProps = {
  pending: boolean
  /** Server error as a sentence. */
  failure: string | undefined
  onIgnore: (ignore: { scope: IgnoreScope; reason: string }) => void
  onClose: () => void
}

/** Ignores an issue with a scope and a reason. */
export function IgnoreDialog({ pending, failure, onIgnore, onClose }: IgnoreDialogProps) {
  const { t } = useLingui()
  const [selectedScope, setSelectedScope] = useState<IgnoreScope>('issue')
  const [typedReason, setTypedReason] = useState('')
  return (
    <FormDialog
      title={t`Ignore`}
      submitLabel={t`Ignore`}
      pending={pending}
      onSubmit={() => onIgnore({ scope: selectedScope, reason: typedReason.trim() })}
      onClose={onClose}
    >
      <p>{t`An ignored issue is not counted, in this run or later ones, until someone reopens it.`}</p>
      <fieldset>
        <legend className={field.legend}>{t`How far it reaches`}</legend>
        {IgnoreScope.options.map((option) => (
          <CheckField key={option} label={t(ignoreScopeLabels[option])}>
            {(control) => (
              <input
                {...control}
                type="radio"
                name="scope"
                autoFocus={option === 'issue'}
                checked={selectedScope === option}
                onChange={() => setSelectedScope(option)}
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
            maxLength={maxIssueLengths.reason}
            value={typedReason}
            onChange={({ target }) => setTypedReason(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
