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
import { type AssignValues, toAssignments } from '../model.ts'
import { type AccessChoices, assignCheckQuery, teamRolesQuery } from '../queries.ts'
import { NoTeams } from './no-teams.tsx'
import { useChangeColumn, useRoleNames } from './role-names.tsx'

/** Ids of the controls that the error summary links to. */
export const teamsField = 'assign-teams'
export const targetsField = 'assign-scans'
export const groupsField = 'assign-groups'
export const roleField = 'assign-role'

/** Returns the step and control id of a request path; null for values that users cannot choose. */
export function findAssignField(path: string): { step: 'teams' | 'targets'; field: string } | null {
  const pathMatch = /^assignments(?:\.\d+(?:\.(\w+))?)?$/.exec(path)
  if (!pathMatch) return null
  const fieldsByKey: Readonly<Record<string, string>> = { scanGroupId: groupsField, role: roleField }
  if (pathMatch[1] === 'teamId') return { step: 'teams', field: teamsField }
  return { step: 'targets', field: fieldsByKey[pathMatch[1] ?? ''] ?? targetsField }
}

type TeamsStepProps = {
  choices: AccessChoices
  values: AssignValues
  errorOf: (field: string) => string | undefined
  onChange: (next: AssignValues) => void
}

export function TeamsStep({ choices, values, single, errorOf, onChange }: TeamsStepProps & { single: boolean }) {
  const { t } = useLingui()
  const radioGroupName = useId()
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
            name={radioGroupName}
            checked={values.teams[0] === team.id}
            onChange={() => onChange({ ...values, teams: [team.id] })}
          />
          <span className={layout.break}>{team.name}</span>
        </label>
      )}
    </SearchedList>
  )
}

const maxNamedTeams = 3
/** Returns a function that describes the current roles of the selected teams on a target. */
function useCurrentRoles(apiClient: MonitorApi, teams: readonly string[]) {
  const { t } = useLingui()
  const roleNames = useRoleNames()
  const rolesResult = useQuery(teamRolesQuery(apiClient, teams))
  const getRoleNote = (target: string): string | undefined => {
    if (!rolesResult.data) return undefined
    const currentRoles = rolesResult.data.get(target) ?? []
    const roleTexts =
      teams.length === 1
        ? currentRoles.map(({ role }) => roleNames[role])
        : currentRoles.slice(0, maxNamedTeams).map(({ team, role }) => `${team}: ${roleNames[role]}`)
    const otherTeamCount = currentRoles.length - roleTexts.length
    if (otherTeamCount > 0) roleTexts.push(plural(otherTeamCount, { one: 'and # more team', other: 'and # more teams' }))
    const roleList = roleTexts.length === 0 ? t`No access` : roleTexts.join(', ')
    return t`Now: ${roleList}`
  }
  return { query: rolesResult, noteOf: getRoleNote }
}

export function TargetsStep({ choices, values, errorOf, onChange }: TeamsStepProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const roleNames = useRoleNames()
  const { query: rolesResult, noteOf: getRoleNote } = useCurrentRoles(apiClient, values.teams)
  return (
    <>
      {rolesResult.isError && (
        <ErrorCard
          title={t`The current roles of the teams could not be loaded.`}
          error={rolesResult.error}
          onRetry={() => void rolesResult.refetch()}
        />
      )}
      <Field id={roleField} label={t`Role`} error={errorOf(roleField)} width="narrow">
        {(control) => (
          <Select
            {...control}
            value={values.role}
            options={[...toLabeledOptions(roleNames), ['none', t`No access`]]}
            onChange={(role) => onChange({ ...values, role })}
          />
        )}
      </Field>
      <PickList
        id={targetsField}
        error={errorOf(targetsField)}
        legend={t`Scans`}
        items={choices.scans}
        getNote={getRoleNote}
        selectedIds={values.scans}
        onChange={(scans) => onChange({ ...values, scans })}
      />
      <PickList
        id={groupsField}
        error={errorOf(groupsField)}
        legend={t`Scan groups`}
        items={choices.groups}
        getNote={getRoleNote}
        selectedIds={values.groups}
        onChange={(groups) => onChange({ ...values, groups })}
      />
    </>
  )
}

const maxVisibleRows = 200
type AssignmentReviewRow = { key: string; team: string; target: string; previousRole: ScanRole | null; newRole: ScanRole | null }

export function ReviewStep({ choices, values }: Omit<TeamsStepProps, 'onChange' | 'errorOf'>) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const checkResult = useQuery(assignCheckQuery(apiClient, values))
  const changeColumn = useChangeColumn<AssignmentReviewRow>()
  if (checkResult.isPending) return <Skeleton label={t`Loading`} />
  if (checkResult.isError)
    return (
      <ErrorCard
        title={t`The preview of the changes could not be loaded.`}
        error={checkResult.error}
        onRetry={() => void checkResult.refetch()}
      />
    )
  const findName = (items: readonly { id: string; name: string }[], id: string) =>
    items.find((item) => item.id === id)?.name ?? id
  const reviewRows = toAssignments(values).map((assignment, index): AssignmentReviewRow => ({
    key: String(index),
    team: findName(choices.teams, assignment.teamId),
    target:
      'scanId' in assignment ? findName(choices.scans, assignment.scanId) : findName(choices.groups, assignment.scanGroupId),
    previousRole: checkResult.data.before[index] ?? null,
    newRole: assignment.role,
  }))
  const changedCount = reviewRows.filter(({ previousRole, newRole }) => previousRole !== newRole).length
  const hiddenRowCount = reviewRows.length - maxVisibleRows
  return (
    <>
      <p role="status">
        <Plural value={changedCount} _0="Nothing changes." one="# change" other="# changes" />
      </p>
      <DataTable
        caption={t`Changes`}
        rows={reviewRows.slice(0, maxVisibleRows)}
        rowKey={({ key }) => key}
        columns={[
          { key: 'team', heading: t`Team`, isRowHeading: true, renderCell: ({ team }) => team },
          { key: 'target', heading: t`On`, renderCell: ({ target }) => target },
          changeColumn,
        ]}
      />
      {hiddenRowCount > 0 && (
        <p className={layout.muted}>
          <Plural value={hiddenRowCount} one="and # more" other="and # more" />
        </p>
      )}
    </>
  )
}
