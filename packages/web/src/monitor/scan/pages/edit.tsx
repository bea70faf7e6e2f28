import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CancelLink } from '../../../kit/form/cancel-link.tsx'
import { AccessDenied } from '../../../kit/page/access-denied.tsx'
import { ApiError } from '../../../kit/client/client.ts'
import { PageHead } from '../../../kit/page/head.tsx'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSession } from '../../user/model.ts'
import { toFormValues } from '../form/model.ts'
import { scanEditQuery, useScanActions } from '../queries.ts'
import type { ScanEdit } from '../queries.ts'
import type { WizardStart } from '../wizard/start.ts'
import { ScanWizard } from '../wizard/wizard.tsx'

const scanEditRoute = getRouteApi('/scans/$scanId/edit')

function toWizardStart({ stored: storedSettings, access, shared: sharedScripts }: ScanEdit): WizardStart {
  const formValues = toFormValues(storedSettings.settings, { access, shared: sharedScripts })
  return {
    values: formValues,
    version: storedSettings.version,
    opened: { settings: storedSettings.settings, access: { ...formValues.access, version: access.version } },
  }
}

export function ScanEditPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const { scanId } = scanEditRoute.useParams()
  const { step: currentStep } = scanEditRoute.useSearch()
  const navigateTo = scanEditRoute.useNavigate()
  const showToast = useToast()
  const { updateMutation } = useScanActions()
  const editResult = useQuery(scanEditQuery(apiClient, scanId))
  const scanName = editResult.data?.stored.settings.name ?? ''
  const scansLink = <Link key="scans" to="/scans">{t`Scans`}</Link>
  const scanLink = scanName && (
    <Link key="scan" to="/scans/$scanId" params={{ scanId }}>
      {scanName}
    </Link>
  )
  const breadcrumbs = scanLink ? [scansLink, scanLink] : [scansLink]
  if (editResult.data)
    return (
      <ScanWizard
        key={scanId}
        scanId={scanId}
        wizardStart={toWizardStart(editResult.data)}
        step={currentStep}
        onStep={(next) => void navigateTo({ search: { step: next } })}
        title={t`Edit scan`}
        homeLink={scansLink}
        objectLink={scanLink}
        cancelLink={<CancelLink to="/scans/$scanId" params={{ scanId }} />}
        finishLabel={t`Save changes`}
        failureTitle={t`The changes could not be saved.`}
        save={(settings, version) => updateMutation.mutateAsync({ id: scanId, settings, version: version ?? 0 })}
        reload={async () => {
          const { data: refetched, error: refetchError } = await editResult.refetch()
          if (!refetched) throw refetchError ?? new Error('no settings')
          return toWizardStart(refetched)
        }}
        onSaved={() => {
          showToast('confirmation', t`Changes saved. They apply from the next run.`)
          void navigateTo({ to: '/scans/$scanId', params: { scanId } })
        }}
      />
    )
  // The wizard has its own heading, which is the first one after loading.
  if (editResult.isPending) return <Skeleton fillsScreen label={t`Loading the settings`} />
  if (editResult.error instanceof ApiError && editResult.error.status === 403)
    return (
      <AccessDenied productName={appConfig.productName} crumbs={breadcrumbs} title={t`You cannot change this scan`}>
        <p>{t`Scan admins can. Ask one of them to change it, or to give your team that role.`}</p>
      </AccessDenied>
    )
  return (
    <>
      <PageHead title={t`Edit scan`} productName={appConfig.productName} crumbs={breadcrumbs} />
      <ErrorCard
        title={t`The settings could not be loaded.`}
        error={editResult.error}
        onRetry={() => void editResult.refetch()}
      />
    </>
  )
}
