import { useLingui } from '@lingui/react/macro'
import type { TeamId } from '@clearway/contract/kit/id.ts'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import field from '../../../kit/form/field.module.css'
import { Select, toLabeledOptions } from '../../../kit/form/select.tsx'
import layout from '../../../kit/page/layout.module.css'
import { SearchedList } from '../../../kit/form/pick-list.tsx'
import { NoTeams } from './no-teams.tsx'
import styles from './team-roles.module.css'
import { useRoleNames } from './words.tsx'

type Props = {
  teams: readonly { id: string; name: string }[]
  /** Role of each team that has one. */
  chosen: Readonly<Record<string, ScanRole>>
  /** Where an error summary leads to. */
  id?: string
  error?: string | undefined
  onChange: (chosen: Record<string, ScanRole>) => void
}

/** Which team has which role: each team is listed once, so that none can get two. */
export function TeamRoles({ teams, chosen, onChange, ...list }: Props) {
  const { t } = useLingui()
  const roles = useRoleNames()
  const set = (id: string, role: ScanRole | '') => {
    const { [id]: _, ...others } = chosen
    onChange(role === '' ? others : { ...others, [id]: role })
  }
  if (teams.length === 0) return <NoTeams />
  return (
    <SearchedList {...list} legend={t`Teams`} items={teams} selectedCount={Object.keys(chosen).length}>
      {({ id, name }) => (
        <label className={styles.team}>
          <span className={layout.break}>{name}</span>
          <Select
            className={field.small}
            value={chosen[id] ?? ''}
            options={[['', t`No access`], ...toLabeledOptions(roles)]}
            onChange={(role) => set(id, role)}
          />
        </label>
      )}
    </SearchedList>
  )
}

/** The chosen roles as the server takes them. */
export const teamRolesOf = (chosen: Readonly<Record<string, ScanRole>>) =>
  Object.entries(chosen).map(([teamId, role]) => ({ teamId: teamId as TeamId, role }))
