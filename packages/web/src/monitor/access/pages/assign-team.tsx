import { useLingui } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AssignForm } from '../parts/assign-form.tsx'

const route = getRouteApi('/admin/assign-team')

/** /admin/assign-team */
export function AssignTeamPage(): ReactNode {
  const { t } = useLingui()
  const { team } = route.useSearch()
  return <AssignForm key={team} single team={team} title={t`Assign a team`} />
}
