import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { getButtonClass } from '../../../kit/control/button.tsx'
import { EmptyState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'

/** Replaces a selection of teams if there are none. Administrators can create one. */
export function NoTeams() {
  const { t } = useLingui()
  const { permissions } = useSession()
  return (
    <EmptyState
      title={t`No teams yet`}
      action={permissions.isAdmin && <Link to="/admin/teams/new" className={getButtonClass()}>{t`New team`}</Link>}
    >
      <p>{t`A team gives its members a role on scans.`}</p>
    </EmptyState>
  )
}
