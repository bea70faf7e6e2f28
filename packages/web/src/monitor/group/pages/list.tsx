import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanGroup } from '@clearway/contract/monitor/group/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { ScoreBar } from '../../run/parts/score-bar.tsx'
import { TargetText } from '../../run/parts/target-text.tsx'
import { ScanNames } from '../../scan/parts/scan-names.tsx'
import { ManagedList } from '../../../kit/list/managed-list.tsx'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { DeleteGroupDialog } from '../list/delete-dialog.tsx'
import { groupListQuery } from '../queries.ts'

const groupListRoute = getRouteApi('/admin/')

/** /admin: all scan groups. */
export function GroupListPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const groupSearch = groupListRoute.useSearch()
  const navigateTo = groupListRoute.useNavigate()
  const groupList = useQuery(groupListQuery(apiClient, groupSearch))
  return (
    <ManagedList
      title={t`Scan groups`}
      productName={appConfig.productName}
      renderCount={(total) => <Plural value={total} one="# scan group" other="# scan groups" />}
      createLink={{ to: '/admin/groups/new', label: t`New scan group` }}
      placeholder={t`Name of a group`}
      list={groupList}
      columns={useScanGroupColumns(groupList.data?.content ?? [])}
      rowKey={({ scanGroupId }) => scanGroupId}
      getRowName={({ scanGroupName }) => scanGroupName}
      onEdit={({ scanGroupId }) => void navigateTo({ to: '/admin/groups/$groupId/edit', params: { groupId: scanGroupId } })}
      renderDelete={(group, onClose) => <DeleteGroupDialog group={group} onClose={onClose} />}
      search={groupSearch}
      onChange={(next) => void navigateTo({ search: next })}
      empty={{ title: t`No scan groups yet`, text: t`A group gives teams a role on many scans at once.` }}
    />
  )
}

/** Without the columns in which no group has a value. */
function useScanGroupColumns(groups: readonly ScanGroup[]): readonly Column<ScanGroup>[] {
  const { t } = useLingui()
  const { formatNumber, formatDate, formatList } = useFormats()
  const renderNames = (allNames: readonly string[]) =>
    allNames.length > 0 ? <span className={layout.break}>{formatList(allNames)}</span> : <UnknownValue label={t`None`} />
  const isFilled: Record<string, boolean> = {
    target: groups.some(({ target }) => target),
    teams: groups.some(({ teams }) => teams.length > 0),
    admins: groups.some(({ admins }) => admins.length > 0),
  }
  const allColumns: Column<ScanGroup>[] = [
    {
      key: 'name',
      heading: t`Name`,
      sortField: 'scanGroupName',
      isRowHeading: true,
      renderCell: ({ scanGroupId, scanGroupName }) => (
        <Link to="/admin/groups/$groupId/edit" params={{ groupId: scanGroupId }} className={layout.rowName}>
          {scanGroupName}
        </Link>
      ),
    },
    {
      key: 'scans',
      heading: t`Scans`,
      sortField: 'scanCount',
      firstDirection: 'desc',
      renderCell: ({ scanCount, scanNames }) => (
        <>
          {formatNumber(scanCount)}
          {scanNames.length > 0 && (
            <p className={`${layout.muted} ${layout.sm}`}>
              <ScanNames names={scanNames} count={scanCount} />
            </p>
          )}
        </>
      ),
    },
    {
      key: 'score',
      heading: t`Score`,
      renderCell: ({ score }) => (score === null ? <UnknownValue label={t`Not known`} /> : <ScoreBar score={score} />),
    },
    {
      key: 'target',
      heading: t`Target`,
      isOptional: true,
      renderCell: ({ score, target }) =>
        target ? (
          <TargetText isUnderHeading target={target} points={score === null ? null : toScorePoints(score)} />
        ) : (
          <UnknownValue label={t`None`} />
        ),
    },
    {
      key: 'teams',
      heading: t`Teams`,
      renderCell: ({ teams }) => renderNames(teams.map(({ teamName }) => teamName)),
    },
    {
      key: 'admins',
      heading: t`Group admins`,
      renderCell: ({ admins }) => renderNames(admins.map(({ name }) => name)),
    },
    {
      key: 'created',
      heading: t`Created`,
      sortField: 'createdAt',
      firstDirection: 'desc',
      renderCell: ({ createdAt }) => formatDate(createdAt),
    },
  ]
  return allColumns.filter(({ key }) => isFilled[key] ?? true)
}
