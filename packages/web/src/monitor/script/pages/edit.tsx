import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { toValues } from '../model.ts'
import { ScriptForm } from '../form/form.tsx'
import { scriptQuery } from '../queries.ts'

const route = getRouteApi('/admin/scripts/$scriptId/edit')

/** /admin/scripts/{scriptId}/edit */
export function ScriptEditPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const { scriptId } = route.useParams()
  const stored = useQuery(scriptQuery(api, scriptId))
  const before = useMemo(() => stored.data && toValues(stored.data.settings), [stored.data])
  if (stored.data && before)
    return (
      <ScriptForm
        key={scriptId}
        id={scriptId}
        before={before}
        version={stored.data.version}
        title={t`Edit script`}
        finish={t`Save changes`}
      />
    )
  return (
    <>
      <PageHead
        title={t`Edit script`}
        productName={config.productName}
        crumbs={[<Link key="scripts" to="/admin/scripts">{t`Shared scripts`}</Link>]}
      />
      <QueryState query={stored} loadingLabel={t`Loading`} failureTitle={t`The script could not be loaded.`} />
    </>
  )
}
