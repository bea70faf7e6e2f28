import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Select, toLabeledOptions } from '../../../kit/form/select.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { Field } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PickList, SearchedList } from '../../../kit/form/pick-list.tsx'
import pick from '../../../kit/form/pick-list.module.css'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { type MonitorApi, useSession } from '../../user/model.ts'
import type { AssignValues } from '../model.ts'
import { assignmentsOf } from '../model.ts'
import type { AccessChoices } from '../queries.ts'
import { assignCheckQuery, teamRolesQuery } from '../queries.ts'
import { NoTeams } from './no-teams.tsx'
import { useChangeColumn, useRoleNames } from './words.tsx'

/** Where the error summary leads to: the search field of the list. */
export const teamsField = 'assign-teams'
export const targetsField = 'assign-scans'
export const groupsField = 'assign-groups'
export const roleField = 'assign-role'

/** Where a value of the request is: its step, and the id of its control; null for one that nobody chooses. */
export function assignFieldOf(path: string): { step: 'teams' | 'targets'; field: string } | null {
  const part = /^assignments(?:\.\d+(?:\.(\w+))?)?$/.exec(path)
  if (!part) return null
  const fields: Readonly<Record<string, string>> = { scanGroupId: groupsField, role: roleField }
  if (part[1] === 'teamId') return { step: 'teams', field: teamsField }
  return { step: 'targets', field: fields[part[1] ?? ''] ?? targetsField }
}

type Props = {
  choices: AccessChoices
  values: AssignValues
  errorOf: (field: string) => string | undefined
  onChange: (next: AssignValues) => void
}

/** Whom. */
export function TeamsStep({ choices, values, single, errorOf, onChange }: Props & { single: boolean }) {
  const { t } = useLingui()
  const name = useId()
  if (choices.teams.length === 0) return <NoTeams />
  if (!single)
    return (
      <PickList
        id={teamsField}
        error={errorOf(teamsField)}
        legend={t`Teams`}
        items={choices.teams}
        selectedIds={values.teams}
        onChange={(teams) => onChange({ ...values, teams })}
      />
    )
  return (
    <SearchedList
      id={teamsField}
      error={errorOf(teamsField)}
      legend={t`Team`}
      items={choices.teams}
      selectedCount={values.teams.length}
    >
      {(team) => (
        <label className={pick.tick}>
          <input
            type="radio"
            name={name}
            checked={values.teams[0] === team.id}
            onChange={() => onChange({ ...values, teams: [team.id] })}
          />
          <span className={layout.break}>{team.name}</span>
        </label>
      )}
    </SearchedList>
  )
}

const mostNamed = 3
/** What to say of the roles that the chosen teams have on something now. */
function useRolesNow(api: MonitorApi, teams: readonly string[]) {
  const { t } = useLingui()
  const roles = useRoleNames()
  const query = useQuery(teamRolesQuery(api, teams))
  const noteOf = (target: string): string | undefined => {
    if (!query.data) return undefined
    const now = query.data.get(target) ?? []
    const words =
      teams.length === 1
        ? now.map(({ role }) => roles[role])
        : now.slice(0, mostNamed).map(({ team, role }) => `${team}: ${roles[role]}`)
    const more = now.length - words.length
    if (more > 0) words.push(plural(more, { one: 'and # more team', other: 'and # more teams' }))
    const list = words.length === 0 ? t`No access` : words.join(', ')
    return t`Now: ${list}`
  }
  return { query, noteOf }
}

/** On what, and as what; beside each what the teams have there now. */
export function TargetsStep({ choices, values, errorOf, onChange }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const roles = useRoleNames()
  const { query, noteOf } = useRolesNow(api, values.teams)
  return (
    <>
      {query.isError && (
        <ErrorCard
          title={t`The current roles of the teams could not be loaded.`}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      <Field id={roleField} label={t`Role`} error={errorOf(roleField)} width="narrow">
        {(control) => (
          <Select
            {...control}
            value={values.role}
            options={[...toLabeledOptions(roles), ['none', t`No access`]]}
            onChange={(role) => onChange({ ...values, role })}
          />
        )}
      </Field>
      <PickList
        id={targetsField}
        error={errorOf(targetsField)}
        legend={t`Scans`}
        items={choices.scans}
        getNote={noteOf}
        selectedIds={values.scans}
        onChange={(scans) => onChange({ ...values, scans })}
      />
      <PickList
        id={groupsField}
        error={errorOf(groupsField)}
        legend={t`Scan groups`}
        items={choices.groups}
        getNote={noteOf}
        selectedIds={values.groups}
        onChange={(groups) => onChange({ ...values, groups })}
      />
    </>
  )
}

const mostShown = 200
type ReviewRow = {
  key: string
  team: string
  target: string
  before: ScanRole | null
  after: ScanRole | null
}

/** What changes, and what stays as it is. */
export function ReviewStep({ choices, values }: Omit<Props, 'onChange' | 'errorOf'>) {
  const { t } = useLingui()
  const { api } = useSession()
  const check = useQuery(assignCheckQuery(api, values))
  const change = useChangeColumn<ReviewRow>()
  if (check.isPending) return <Skeleton label={t`Loading`} />
  if (check.isError)
    return (
      <ErrorCard
        title={t`The preview of the changes could not be loaded.`}
        error={check.error}
        onRetry={() => void check.refetch()}
      />
    )
  const nameOf = (list: readonly { id: string; name: string }[], id: string) =>
    list.find((item) => item.id === id)?.name ?? id
  const rows = assignmentsOf(values).map((one, i): ReviewRow => ({
    key: String(i),
    team: nameOf(choices.teams, one.teamId),
    target: 'scanId' in one ? nameOf(choices.scans, one.scanId) : nameOf(choices.groups, one.scanGroupId),
    before: check.data.before[i] ?? null,
    after: one.role,
  }))
  const changed = rows.filter(({ before, after }) => before !== after).length
  const more = rows.length - mostShown
  return (
    <>
      <p role="status">
        <Plural value={changed} _0="Nothing changes." one="# change" other="# changes" />
      </p>
      <DataTable
        caption={t`Changes`}
        rows={rows.slice(0, mostShown)}
        rowKey={({ key }) => key}
        columns={[
          { key: 'team', heading: t`Team`, isRowHeading: true, renderCell: ({ team }) => team },
          { key: 'target', heading: t`On`, renderCell: ({ target }) => target },
          change,
        ]}
      />
      {more > 0 && (
        <p className={layout.muted}>
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
    </>
  )
}
