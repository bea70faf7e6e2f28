import { useLingui } from '@lingui/react/macro'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { Column } from '../../../kit/table/table.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'

type Change = { before: ScanRole | null; after: ScanRole | null }

/** What each role of a team is called. */
export function useRoleNames(): Record<ScanRole, string> {
  const { t } = useLingui()
  return { scanViewer: t`Scan Viewer`, scanMember: t`Scan Member`, scanAdmin: t`Scan Admin` }
}

/** The column with the role until now and from now on. */
export function useChangeColumn<Row extends Change>(): Column<Row> {
  const { t } = useLingui()
  return {
    key: 'change',
    heading: t`Change`,
    renderCell: (row) => <RoleChange before={row.before} after={row.after} />,
  }
}

function RoleChange({ before, after }: Change) {
  const { t } = useLingui()
  const roles = useRoleNames()
  const words = (role: ScanRole | null) => (role === null ? t`No access` : roles[role])
  if (before === after) return <span className={layout.muted}>{t`Unchanged: ${words(after)}`}</span>
  return (
    <span className={layout.line}>
      <span className={layout.muted}>{words(before)}</span>
      <Icon name="right" />
      <span className={layout.strong}>{words(after)}</span>
    </span>
  )
}
