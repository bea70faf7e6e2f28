import { useLingui } from '@lingui/react/macro'
import type { TeamId } from '@clearway/contract/kit/id.ts'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import field from '../../../kit/form/field.module.css'
import { Select, toLabeledOptions } from '../../../kit/form/select.tsx'
import layout from '../../../kit/page/layout.module.css'
import { SearchedList } from '../../../kit/form/pick-list.tsx'
import { NoTeams } from './no-teams.tsx'
import styles from './team-roles.module.css'
import { useRoleNames } from './role-names.tsx'

type TeamRolesProps = {
  teams: readonly { id: string; name: string }[]
  /** Roles by team id, for teams with a role. */
  rolesByTeam: Readonly<Record<string, ScanRole>>
  /** Target of links in the error summary. */
  id?: string
  error?: string | undefined
  onChange: (rolesByTeam: Record<string, ScanRole>) => void
}

/** Roles of teams. Each team is listed once, so it cannot have two roles. */
export function TeamRoles({ teams, rolesByTeam, onChange, ...listProps }: TeamRolesProps) {
  const { t } = useLingui()
  const roleNames = useRoleNames()
  const setTeamRole = (id: string, role: ScanRole | '') => {
    const { [id]: _, ...otherRoles } = rolesByTeam
    onChange(role === '' ? otherRoles : { ...otherRoles, [id]: role })
  }
  if (teams.length === 0) return <NoTeams />
  return (
    <SearchedList {...listProps} legend={t`Teams`} items={teams} selectedCount={Object.keys(rolesByTeam).length}>
      {({ id, name }) => (
        <label className={styles.team}>
          <span className={layout.break}>{name}</span>
          <Select
            className={field.small}
            value={rolesByTeam[id] ?? ''}
            options={[['', t`No access`], ...toLabeledOptions(roleNames)]}
            onChange={(role) => setTeamRole(id, role)}
          />
        </label>
      )}
    </SearchedList>
  )
}

/** Returns the selected roles as the server expects them. */
export const toTeamRoles = (rolesByTeam: Readonly<Record<string, ScanRole>>) =>
  Object.entries(rolesByTeam).map(([teamId, role]) => ({ teamId: teamId as TeamId, role }))
