import { useLingui } from '@lingui/react/macro'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { Column } from '../../../kit/table/table.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'

type RoleChangeValues = { previousRole: ScanRole | null; newRole: ScanRole | null }

export function useRoleNames(): Record<ScanRole, string> {
  const { t } = useLingui()
  return { scanViewer: t`Scan Viewer`, scanMember: t`Scan Member`, scanAdmin: t`Scan Admin` }
}

export function useChangeColumn<Row extends RoleChangeValues>(): Column<Row> {
  const { t } = useLingui()
  return {
    key: 'change',
    heading: t`Change`,
    renderCell: (row) => <RoleChange previousRole={row.previousRole} newRole={row.newRole} />,
  }
}

function RoleChange({ previousRole, newRole }: RoleChangeValues) {
  const { t } = useLingui()
  const roles = useRoleNames()
  const getRoleText = (role: ScanRole | null) => (role === null ? t`No access` : roles[role])
  if (previousRole === newRole) return <span className={layout.muted}>{t`Unchanged: ${getRoleText(newRole)}`}</span>
  return (
    <span className={layout.line}>
      <span className={layout.muted}>{getRoleText(previousRole)}</span>
      <Icon name="right" />
      <span className={layout.strong}>{getRoleText(newRole)}</span>
    </span>
  )
}
