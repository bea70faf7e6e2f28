import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { PresetForm } from '../parts/form.tsx'
import { presetQuery } from '../queries.ts'

const route = getRouteApi('/admin/presets/$presetId/edit')

/** /admin/presets/{presetId}/edit */
export function PresetEditPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const { presetId } = route.useParams()
  const stored = useQuery(presetQuery(api, presetId))
  if (stored.data)
    return (
      <PresetForm
        key={presetId}
        id={presetId}
        stored={stored.data.settings}
        version={stored.data.version}
        title={t`Edit preset`}
        finish={t`Save changes`}
      />
    )
  return (
    <>
      <PageHead
        title={t`Edit preset`}
        productName={config.productName}
        crumbs={[<Link key="presets" to="/admin/presets">{t`Presets`}</Link>]}
      />
      <QueryState query={stored} loadingLabel={t`Loading`} failureTitle={t`The preset could not be loaded.`} />
    </>
  )
}
