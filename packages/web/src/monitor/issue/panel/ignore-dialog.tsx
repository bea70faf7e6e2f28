import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { IgnoreScope, maxIssueLengths } from '@clearway/contract/monitor/issue/schema.ts'
import { useState } from 'react'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import field from '../../../kit/form/field.module.css'
import { CheckField, Field } from '../../../kit/form/field.tsx'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { useDraft } from '../../user/parts/use-draft.ts'
import { isPossibleEnd, toEndOfDay } from '../model-register.ts'
import { UntilField } from './until-field.tsx'

export const ignoreScopeLabels: Record<IgnoreScope, MessageDescriptor> = {
  issue: msg`This element on this page`,
  group: msg`This element on every page`,
  'rule-on-page': msg`Everything that this rule finds on this page`,
  rule: msg`Everything that this rule finds in the scan`,
}

/** Scope, reason and end of an ignore; null for no end. */
export type NewIgnore = { scope: IgnoreScope; reason: string; until: string | null }

type IgnoreDraft = {
  typedReason: string
  setTypedReason: (text: string) => void
  lastDay: string
  setLastDay: (day: string) => void
  discard: () => void
}

/** Typed reason and last day of an issue, until they are saved. */
export function useIgnoreDraft(issueId: string): IgnoreDraft {
  const [typedReason, setTypedReason] = useDraft('ignore-reason', issueId)
  const [lastDay, setLastDay] = useDraft('ignore-until', issueId)
  return {
    typedReason: typedReason ?? '',
    setTypedReason,
    lastDay: lastDay ?? '',
    setLastDay,
    discard: () => {
      setTypedReason(null)
      setLastDay(null)
    },
  }
}

/** Reason and last day while the dialog is open. */
function useDialogDraft(): IgnoreDraft {
  const [typedReason, setTypedReason] = useState('')
  const [lastDay, setLastDay] = useState('')
  return { typedReason, setTypedReason, lastDay, setLastDay, discard: () => undefined }
}

type IgnoreDialogProps = {
  /** Kept until the caller has saved it, or the user cancels. None for a selection, which does not outlive the page either. */
  draft?: IgnoreDraft
  /** Only single issues can be ignored, as for a selection. */
  hasNoScope?: boolean
  pending: boolean
  failure: string | undefined
  onIgnore: (ignore: NewIgnore) => void
  onClose: () => void
}

export function IgnoreDialog({ draft, hasNoScope = false, pending, failure, onIgnore, onClose }: IgnoreDialogProps) {
  const { t } = useLingui()
  const [selectedScope, setSelectedScope] = useState<IgnoreScope>('issue')
  const dialogDraft = useDialogDraft()
  const { typedReason, setTypedReason, lastDay, setLastDay, discard } = draft ?? dialogDraft
  const [hasFault, setHasFault] = useState(false)
  return (
    <FormDialog
      title={t`Ignore`}
      submitLabel={t`Ignore`}
      pending={pending}
      onSubmit={() => {
        setHasFault(!isPossibleEnd(lastDay))
        if (isPossibleEnd(lastDay)) onIgnore({ scope: selectedScope, reason: typedReason.trim(), until: toEndOfDay(lastDay) })
      }}
      onClose={onClose}
      onCancel={discard}
    >
      <p>{t`An ignored issue is not counted, in this run or later ones, until someone reopens it or the ignore ends.`}</p>
      {!hasNoScope && <ScopeChoice selectedScope={selectedScope} onChange={setSelectedScope} />}
      <Field label={t`Reason`} optional={t`optional`} error={failure}>
        {(control) => (
          <textarea
            {...control}
            autoFocus={hasNoScope}
            rows={3}
            maxLength={maxIssueLengths.reason}
            value={typedReason}
            onChange={({ target }) => setTypedReason(target.value)}
          />
        )}
      </Field>
      <UntilField value={lastDay} error={hasFault ? t(getFieldErrorMessage('in-past')) : undefined} onChange={setLastDay} />
    </FormDialog>
  )
}

function ScopeChoice({ selectedScope, onChange }: { selectedScope: IgnoreScope; onChange: (scope: IgnoreScope) => void }) {
  const { t } = useLingui()
  return (
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
              onChange={() => onChange(option)}
            />
          )}
        </CheckField>
      ))}
    </fieldset>
  )
}
