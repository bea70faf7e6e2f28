import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { TeamForm } from '../parts/form.tsx'
import { teamQuery } from '../queries.ts'

const route = getRouteApi('/admin/teams/$teamId/edit')

/** /admin/teams/$teamId/edit */
export function TeamEditPage(): ReactNode {
  const { t } = useLingui()
  const session = useSession()
  const { teamId } = route.useParams()
  const team = useQuery(teamQuery(session, teamId))
  return (
    <>
      <PageHead
        title={team.data?.name ?? t`Team`}
        productName={session.config.productName}
        crumbs={[<Link key="teams" to="/admin/teams">{t`Teams`}</Link>]}
      />
      <QueryState query={team} loading={t`Loading`} failed={t`The team could not be loaded.`} />
      {team.data && (
        <TeamForm
          key={team.data.id}
          stored={{ id: team.data.id, name: team.data.name, members: team.data.members.map(({ id }) => id) }}
        />
      )}
    </>
  )
}
