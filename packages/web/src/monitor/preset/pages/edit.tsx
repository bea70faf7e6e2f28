import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { PresetForm } from '../form/preset-form.tsx'
import { presetQuery } from '../queries.ts'

const presetEditRoute = getRouteApi('/admin/presets/$presetId/edit')

export function PresetEditPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const { presetId } = presetEditRoute.useParams()
  const presetResult = useQuery(presetQuery(apiClient, presetId))
  if (presetResult.data)
    return (
      <PresetForm
        key={presetId}
        id={presetId}
        storedPreset={presetResult.data.settings}
        version={presetResult.data.version}
        title={presetResult.data.settings.name}
        finishLabel={t`Save changes`}
      />
    )
  return (
    <>
      <PageHead
        title={t`Edit preset`}
        productName={appConfig.productName}
        crumbs={[<Link key="presets" to="/admin/presets">{t`Presets`}</Link>]}
      />
      <QueryState query={presetResult} loadingLabel={t`Loading`} failureTitle={t`The preset could not be loaded.`} />
    </>
  )
}
