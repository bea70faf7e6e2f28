import { useLingui } from '@lingui/react/macro'
import { CancelLink } from '../../../kit/form/cancel-link.tsx'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import { AccessDenied } from '../../../kit/page/access-denied.tsx'
import { CheckField } from '../../../kit/form/field.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { useSession } from '../../user/model.ts'
import { copyFormValues, createNewValues, toFormValues } from '../form/model.ts'
import { scanEditQuery, useScanActions } from '../queries.ts'
import type { WizardStart } from '../wizard/start.ts'
import { ScanWizard } from '../wizard/wizard.tsx'

const scanNewRoute = getRouteApi('/scans/new')

export function ScanNewPage(): ReactNode {
  const { t } = useLingui()
  const { config: appConfig, permissions } = useSession()
  const scansLink = <Link key="scans" to="/scans">{t`Scans`}</Link>
  if (permissions.canCreateScans) return <NewScan homeLink={scansLink} />
  return (
    <AccessDenied productName={appConfig.productName} crumbs={[scansLink]} title={t`You cannot create scans`}>
      <p>{t`Your administrator decides who may create scans. Ask them, or ask a scan admin to create one for you.`}</p>
    </AccessDenied>
  )
}

type NewScanProps = { homeLink: ReactNode }

function NewScan({ homeLink }: NewScanProps) {
  const { url: startUrl, from: sourceScanId } = scanNewRoute.useSearch()
  const [wizardStart] = useState(() => ({ values: createNewValues(startUrl), version: null, opened: null }))
  return sourceScanId === '' ? (
    <NewScanWizard homeLink={homeLink} start={wizardStart} />
  ) : (
    <DuplicateScan homeLink={homeLink} from={sourceScanId as ScanId} />
  )
}

function DuplicateScan({ homeLink, from: sourceScanId }: NewScanProps & { from: ScanId }) {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const sourceResult = useQuery(scanEditQuery(apiClient, sourceScanId))
  if (sourceResult.isPending) return <Skeleton fillsScreen label={t`Loading the settings`} />
  if (sourceResult.isError)
    return (
      <>
        <PageHead title={t`New scan`} productName={appConfig.productName} crumbs={[homeLink]} />
        <ErrorCard
          title={t`The settings could not be loaded.`}
          error={sourceResult.error}
          onRetry={() => void sourceResult.refetch()}
        />
      </>
    )
  const { stored: storedSettings, access, shared: sharedScripts } = sourceResult.data
  const { name: sourceName } = storedSettings.settings
  const copyName = t`Copy of ${sourceName}`.slice(0, defaultLimits.nameLength)
  const formValues = {
    ...copyFormValues(toFormValues(storedSettings.settings, { access, shared: sharedScripts })),
    name: copyName,
  }
  return (
    <NewScanWizard homeLink={homeLink} start={{ values: formValues, version: null, opened: null }}>
      <Notice kind="info" title={t`These are the settings of ${sourceName}`}>
        <p>{t`Teams and recipients are copied: look through them. Passwords, keystores and other secret values, the schedule and scan groups are not: set them again where the scan needs them. Runs, issues and tags stay with the original.`}</p>
      </Notice>
    </NewScanWizard>
  )
}

function NewScanWizard({ homeLink, start: wizardStart, children }: NewScanProps & { start: WizardStart; children?: ReactNode }) {
  const { t } = useLingui()
  const { url: startUrl, from: sourceScanId, step: currentStep } = scanNewRoute.useSearch()
  const navigateTo = scanNewRoute.useNavigate()
  const showError = useShowError()
  const { createMutation, startMutation } = useScanActions()
  const [shouldStart, setShouldStart] = useState(true)
  const createdScanId = useRef<ScanId | null>(null)
  const openCreatedScan = () =>
    createdScanId.current && void navigateTo({ to: '/scans/$scanId', params: { scanId: createdScanId.current } })
  return (
    <ScanWizard
      scanId={null}
      url={sourceScanId || startUrl}
      wizardStart={wizardStart}
      step={currentStep}
      onStep={(next) => void navigateTo({ search: { url: startUrl, from: sourceScanId, step: next } })}
      title={t`New scan`}
      homeLink={homeLink}
      cancelLink={<CancelLink to="/scans" />}
      finishLabel={t`Create scan`}
      failureTitle={t`The scan could not be created.`}
      save={async (settings) => {
        createdScanId.current = (await createMutation.mutateAsync(settings)).id
      }}
      reload={() => Promise.resolve(wizardStart)}
      onSaved={() => {
        if (!shouldStart || !createdScanId.current) return openCreatedScan()
        // The scan exists in any case. Its page reports a run that did not start.
        startMutation.mutate(createdScanId.current, {
          onError: showError,
          onSettled: openCreatedScan,
        })
      }}
    >
      {children}
      <CheckField label={t`Start the first run now`}>
        {(control) => (
          <input {...control} type="checkbox" checked={shouldStart} onChange={(e) => setShouldStart(e.target.checked)} />
        )}
      </CheckField>
    </ScanWizard>
  )
}
