import { useLingui } from '@lingui/react/macro'
import type { UserId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { getButtonClass } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { GroupForm } from '../form/group-form.tsx'
import { groupQuery } from '../queries.ts'

const groupEditRoute = getRouteApi('/admin/groups/$groupId/edit')

export function GroupEditPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const { groupId } = groupEditRoute.useParams()
  const groupResult = useQuery(groupQuery(apiClient, groupId))
  const { group: storedGroup, scans: groupScans = [] } = groupResult.data ?? {}
  if (storedGroup)
    return (
      <GroupForm
        key={groupId}
        id={groupId}
        version={storedGroup.version}
        initialValues={{
          name: storedGroup.scanGroupName,
          targetScore: String(storedGroup.target?.score ?? ''),
          targetDue: storedGroup.target?.dueOn ?? '',
          admins: storedGroup.admins.map(({ id }) => id as UserId),
          scans: groupScans.map(({ id }) => id),
          teams: Object.fromEntries(storedGroup.teams.map(({ teamId, role }) => [teamId, role])),
        }}
        title={storedGroup.scanGroupName}
        finishLabel={t`Save changes`}
        failureTitle={t`The changes could not be saved.`}
      />
    )
  return (
    <>
      <PageHead
        title={t`Edit scan group`}
        productName={appConfig.productName}
        crumbs={[<Link key="groups" to="/admin">{t`Scan groups`}</Link>]}
      />
      <QueryState query={groupResult} loadingLabel={t`Loading`} failureTitle={t`The scan group could not be loaded.`} />
      {groupResult.data === null && (
        <div className={layout.card}>
          <EmptyState
            title={t`This scan group does not exist`}
            action={<Link to="/admin" className={getButtonClass()}>{t`Scan groups`}</Link>}
          >
            <p>{t`It may have been deleted.`}</p>
          </EmptyState>
        </div>
      )}
    </>
  )
}
