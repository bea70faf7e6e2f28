import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { toFormValues } from '../form/model.ts'
import { ScriptForm } from '../form/form.tsx'
import { scriptQuery } from '../queries.ts'

const scriptEditRoute = getRouteApi('/admin/scripts/$scriptId/edit')

export function ScriptEditPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const { scriptId } = scriptEditRoute.useParams()
  const scriptResult = useQuery(scriptQuery(apiClient, scriptId))
  const initialValues = useMemo(() => scriptResult.data && toFormValues(scriptResult.data.settings), [scriptResult.data])
  if (scriptResult.data && initialValues)
    return (
      <ScriptForm
        key={scriptId}
        id={scriptId}
        initialValues={initialValues}
        version={scriptResult.data.version}
        title={scriptResult.data.settings.name}
        finishLabel={t`Save changes`}
      />
    )
  return (
    <>
      <PageHead
        title={t`Edit script`}
        productName={appConfig.productName}
        crumbs={[<Link key="scripts" to="/admin/scripts">{t`Shared scripts`}</Link>]}
      />
      <QueryState query={scriptResult} loadingLabel={t`Loading`} failureTitle={t`The script could not be loaded.`} />
    </>
  )
}
