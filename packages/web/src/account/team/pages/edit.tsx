import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { TeamForm } from '../form/team-form.tsx'
import { teamQuery } from '../queries.ts'

const teamEditRoute = getRouteApi('/admin/teams/$teamId/edit')

export function TeamEditPage(): ReactNode {
  const { t } = useLingui()
  const userSession = useSession()
  const { teamId } = teamEditRoute.useParams()
  const teamResult = useQuery(teamQuery(userSession, teamId))
  return (
    <>
      <PageHead
        title={teamResult.data?.name ?? t`Team`}
        productName={userSession.config.productName}
        crumbs={[<Link key="teams" to="/admin/teams">{t`Teams`}</Link>]}
      />
      <QueryState query={teamResult} loadingLabel={t`Loading`} failureTitle={t`The team could not be loaded.`} />
      {teamResult.data && (
        <TeamForm
          key={teamResult.data.id}
          stored={{ id: teamResult.data.id, name: teamResult.data.name, members: teamResult.data.members.map(({ id }) => id) }}
        />
      )}
    </>
  )
}
