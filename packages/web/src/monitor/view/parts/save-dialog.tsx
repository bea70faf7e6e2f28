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
import { useFormFaults } from '../../../kit/form/use-faults.ts'
import { useSession } from '../../user/model.ts'
import { useViewActions, viewTeamsQuery } from '../queries.ts'

/** What one enters, as the requests name it: of a new view, and of one that is changed. */
export const viewFields = ['name', 'audience', 'settings.name', 'settings.audience'] as const

type Props = {
  /** The view to change; null for a new one. */
  view: SavedView | null
  /** What a new one keeps. */
  fresh: Pick<ViewBody, 'screen' | 'query'>
  onSaved: (view: SavedView) => void
  onClose: () => void
}

const teamPrefix = 'team '
const valueOf = (audience: ViewAudience): string =>
  audience.kind === 'team' ? teamPrefix + audience.teamId : audience.kind
const audienceOf = (value: string): ViewAudience => {
  if (value.startsWith(teamPrefix)) return { kind: 'team', teamId: value.slice(teamPrefix.length) as TeamId }
  return { kind: value === 'everybody' ? 'everybody' : 'me' }
}

/** Names a view, and says whom it is for. */
export function SaveDialog({ view, fresh, onSaved, onClose }: Props) {
  const { t } = useLingui()
  const { save } = useViewActions()
  const [name, setName] = useState(view?.name ?? '')
  const [audience, setAudience] = useState(valueOf(view?.audience ?? { kind: 'me' }))
  const { formRef: form, faults, showFaults: show, showServerErrors: refuse, submitFailure: failure } = useFormFaults(viewFields)
  const send = () => {
    if (show(name.trim() === '' ? { name: t(getFieldErrorMessage('required')) } : {})) return
    const { screen, query } = view ?? fresh
    const settings = { name: name.trim(), audience: audienceOf(audience), screen, query } as ViewBody
    save.mutate(
      { before: view, settings },
      {
        onSuccess: onSaved,
        onError: refuse,
      },
    )
  }
  return (
    <FormDialog
      title={view ? t`Rename or share view` : t`Save this view`}
      submitLabel={t`Save`}
      formRef={form}
      pending={save.isPending}
      failure={failure !== null && { title: t`The view could not be saved.`, error: failure }}
      onSubmit={send}
      onClose={onClose}
    >
      <Field
        label={t`Name`}
        hint={view ? undefined : t`Keeps filters, order and grouping of this list.`}
        error={faults.name ?? faults['settings.name']}
      >
        {(control) => (
          <input
            {...control}
            autoFocus
            autoComplete="off"
            maxLength={defaultLimits.nameLength}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <AudienceField
        view={view}
        value={audience}
        error={faults.audience ?? faults['settings.audience']}
        onChange={setAudience}
      />
    </FormDialog>
  )
}

type AudienceProps = {
  view: SavedView | null
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function AudienceField({ view, value, error, onChange }: AudienceProps) {
  const { t } = useLingui()
  const { api, permissions } = useSession()
  const teams = useQuery(viewTeamsQuery(api)).data ?? []
  const now = view && valueOf(view.audience)
  const isOwn = view === null || view.author?.id === permissions.id
  const author = view?.author?.name
  const whoChanges = isOwn
    ? t`The others can open the view; only you and administrators can change it.`
    : author === undefined
      ? t`The others can open the view; only administrators can change it.`
      : t`The others can open the view; only ${author} and administrators can change it.`
  const allowed: SelectOption<string>[] = [
    // Only the author makes a shared view private again.
    ...(isOwn ? [['me', t`Only me`] as const] : []),
    ...teams.map(({ id, name }) => [teamPrefix + id, name] as const),
    ...(permissions.isAdmin ? [['everybody', t`Everybody`] as const] : []),
  ]
  const options =
    now === null || allowed.some(([option]) => option === now)
      ? allowed
      : [[now, view?.teamName ?? t`Everybody`] as const, ...allowed]
  return (
    <Field label={t`For`} hint={value === 'me' ? undefined : whoChanges} error={error}>
      {(control) => <Select {...control} value={value} options={options} onChange={onChange} />}
    </Field>
  )
}
