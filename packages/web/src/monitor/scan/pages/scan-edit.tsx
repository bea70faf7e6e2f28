import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page-head.tsx'
import { ErrorCard, Skeleton } from '../../../kit/states.tsx'
import { useToast } from '../../../kit/toast.tsx'
import { useSession } from '../../user/model.ts'
import { ScanForm } from '../parts/scan-form.tsx'
import { scanSettingsQuery, useScanActions } from '../queries.ts'

const route = getRouteApi('/scans/$scanId/edit')

/** /scans/{scanId}/edit */
export function ScanEditPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const { scanId } = route.useParams()
  const navigate = route.useNavigate()
  const toast = useToast()
  const { update } = useScanActions()
  const settings = useQuery(scanSettingsQuery(api, scanId))
  const stored = settings.data
  const name = stored?.settings.name ?? ''
  return (
    <>
      <PageHead
        title={t`Edit scan`}
        document={t`Edit ${name}`}
        productName={config.productName}
        crumbs={[
          <Link key="scans" to="/scans">{t`Scans`}</Link>,
          <Link key="scan" to="/scans/$scanId" params={{ scanId }}>
            {name}
          </Link>,
        ]}
      />
      {settings.isPending && <Skeleton label={t`Loading the settings`} />}
      {settings.isError && (
        <ErrorCard
          title={t`The settings could not be loaded.`}
          error={settings.error}
          onRetry={() => void settings.refetch()}
        />
      )}
      {stored && (
        <ScanForm
          stored={stored}
          submit={t`Save changes`}
          failed={t`The changes could not be saved.`}
          save={(next) => update.mutateAsync({ id: scanId, settings: next, version: stored.version })}
          onSaved={() => {
            toast('confirmation', t`Changes saved. They hold from the next run on.`)
            void navigate({ to: '/scans/$scanId', params: { scanId } })
          }}
        />
      )}
    </>
  )
}
