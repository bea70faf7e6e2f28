import { useLingui } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AssignForm } from '../assign/assign-form.tsx'

const assignTeamRoute = getRouteApi('/admin/assign-team')

export function AssignTeamPage(): ReactNode {
  const { t } = useLingui()
  const { team: teamId } = assignTeamRoute.useSearch()
  return <AssignForm key={teamId} single team={teamId} title={t`Assign a team`} />
}
