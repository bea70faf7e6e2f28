import { useLingui } from '@lingui/react/macro'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import type { TeamId } from '@clearway/contract/kit/id.ts'
import type { SavedView, ViewAudience, ViewBody } from '@clearway/contract/monitor/view/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { type SelectOption, Select } from '../../../kit/form/select.tsx'
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { useSession } from '../../user/model.ts'
import { useViewActions, viewTeamsQuery } from '../queries.ts'

export const viewFields = ['name', 'audience', 'settings.name', 'settings.audience'] as const

type SaveDialogProps = {
  /** View to change; null for a new one. */
  view: SavedView | null
  newViewContent: Pick<ViewBody, 'screen' | 'query'>
  onSaved: (view: SavedView) => void
  onClose: () => void
}

const teamPrefix = 'team '
const toAudienceValue = (audience: ViewAudience): string =>
  audience.kind === 'team' ? teamPrefix + audience.teamId : audience.kind
const fromAudienceValue = (audienceValue: string): ViewAudience => {
  if (audienceValue.startsWith(teamPrefix)) return { kind: 'team', teamId: audienceValue.slice(teamPrefix.length) as TeamId }
  return { kind: audienceValue === 'everybody' ? 'everybody' : 'me' }
}

export function SaveDialog({ view, newViewContent, onSaved, onClose }: SaveDialogProps) {
  const { t } = useLingui()
  const { saveMutation } = useViewActions()
  const [typedName, setTypedName] = useState(view?.name ?? '')
  const [audienceValue, setAudienceValue] = useState(toAudienceValue(view?.audience ?? { kind: 'me' }))
  const { formRef, faults: fieldFaults, showFaults, showServerErrors, submitFailure } = useFormFaults(viewFields)
  const submitView = () => {
    if (showFaults(typedName.trim() === '' ? { name: t(getFieldErrorMessage('required')) } : {})) return
    const { screen: viewScreen, query: viewQuery } = view ?? newViewContent
    const viewSettings = {
      name: typedName.trim(),
      audience: fromAudienceValue(audienceValue),
      screen: viewScreen,
      query: viewQuery,
    } as ViewBody
    saveMutation.mutate(
      { storedView: view, settings: viewSettings },
      {
        onSuccess: onSaved,
        onError: showServerErrors,
      },
    )
  }
  return (
    <FormDialog
      title={view ? t`Rename or share view` : t`Save this view`}
      submitLabel={t`Save`}
      formRef={formRef}
      pending={saveMutation.isPending}
      failure={submitFailure !== null && { title: t`The view could not be saved.`, error: submitFailure }}
      onSubmit={submitView}
      onClose={onClose}
    >
      <Field
        label={t`Name`}
        hint={view ? undefined : t`Keeps filters, order and grouping of this list.`}
        error={fieldFaults.name ?? fieldFaults['settings.name']}
      >
        {(control) => (
          <input
            {...control}
            autoFocus
            autoComplete="off"
            maxLength={defaultLimits.nameLength}
            value={typedName}
            onChange={({ target }) => setTypedName(target.value)}
          />
        )}
      </Field>
      <AudienceField
        view={view}
        value={audienceValue}
        error={fieldFaults.audience ?? fieldFaults['settings.audience']}
        onChange={setAudienceValue}
      />
    </FormDialog>
  )
}

type AudienceFieldProps = { view: SavedView | null; value: string; error: string | undefined; onChange: (value: string) => void }

function AudienceField({ view, value, error, onChange }: AudienceFieldProps) {
  const { t } = useLingui()
  const { api: apiClient, permissions } = useSession()
  const viewTeams = useQuery(viewTeamsQuery(apiClient)).data ?? []
  const currentValue = view && toAudienceValue(view.audience)
  const isOwnView = view === null || view.author?.id === permissions.id
  const authorName = view?.author?.name
  const permissionHint = isOwnView
    ? t`The others can open the view; only you and administrators can change it.`
    : authorName === undefined
      ? t`The others can open the view; only administrators can change it.`
      : t`The others can open the view; only ${authorName} and administrators can change it.`
  const allowedOptions: SelectOption<string>[] = [
    // Only the author can make a shared view private.
    ...(isOwnView ? [['me', t`Only me`] as const] : []),
    ...viewTeams.map(({ id, name }) => [teamPrefix + id, name] as const),
    ...(permissions.isAdmin ? [['everybody', t`Everyone`] as const] : []),
  ]
  const audienceOptions =
    currentValue === null || allowedOptions.some(([option]) => option === currentValue)
      ? allowedOptions
      : [[currentValue, view?.teamName ?? t`Everyone`] as const, ...allowedOptions]
  return (
    <Field label={t`For`} hint={value === 'me' ? undefined : permissionHint} error={error}>
      {(control) => <Select {...control} value={value} options={audienceOptions} onChange={onChange} />}
    </Field>
  )
}
