import { useLingui } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { AssignForm } from '../assign/assign-form.tsx'
import { ImportForm } from '../assign/import-form.tsx'

const assignTeamsRoute = getRouteApi('/admin/assign-teams')

/** /admin/assign-teams: in steps, or by a CSV file. */
export function AssignTeamsPage(): ReactNode {
  const { t } = useLingui()
  const { by: assignMethod } = assignTeamsRoute.useSearch()
  const navigateTo = assignTeamsRoute.useNavigate()
  const methodChoice = (
    <Segmented
      label={t`How`}
      value={assignMethod}
      onChange={(next) => void navigateTo({ search: { by: next } })}
      options={[
        { value: 'hand', label: t`Step by step` },
        { value: 'file', label: t`With a CSV file` },
      ]}
    />
  )
  return assignMethod === 'hand' ? (
    <AssignForm team="" title={t`Assign teams`} headActions={methodChoice} />
  ) : (
    <ImportForm headActions={methodChoice} />
  )
}
