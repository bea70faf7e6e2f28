import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AccessDenied } from '../../../kit/page/access-denied.tsx'
import { ApiError } from '../../../kit/client/client.ts'
import { PageHead } from '../../../kit/page/head.tsx'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSession } from '../../user/model.ts'
import { valuesOf } from '../form/model.ts'
import { scanEditQuery, useScanActions } from '../queries.ts'
import type { ScanEdit } from '../queries.ts'
import type { Start } from '../wizard/start.ts'
import { ScanWizard } from '../wizard/wizard.tsx'

const route = getRouteApi('/scans/$scanId/edit')

/** What the wizard begins with, of a scan that exists. */
function startOf({ stored, access, shared }: ScanEdit): Start {
  const values = valuesOf(stored.settings, { access, shared })
  const { teams, groups } = values
  return {
    values,
    version: stored.version,
    opened: { settings: stored.settings, access: { teams, groups, version: access.version } },
  }
}

/** /scans/{scanId}/edit */
export function ScanEditPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const { scanId } = route.useParams()
  const { step } = route.useSearch()
  const navigate = route.useNavigate()
  const toast = useToast()
  const { update } = useScanActions()
  const edit = useQuery(scanEditQuery(api, scanId))
  const name = edit.data?.stored.settings.name ?? ''
  const scans = <Link key="scans" to="/scans">{t`Scans`}</Link>
  const scan = name && (
    <Link key="scan" to="/scans/$scanId" params={{ scanId }}>
      {name}
    </Link>
  )
  const crumbs = scan ? [scans, scan] : [scans]
  if (edit.data)
    return (
      <ScanWizard
        key={scanId}
        scanId={scanId}
        start={startOf(edit.data)}
        step={step}
        onStep={(next) => void navigate({ search: { step: next } })}
        title={t`Edit scan`}
        crumbs={crumbs}
        finish={t`Save changes`}
        failed={t`The changes could not be saved.`}
        save={(settings, version) => update.mutateAsync({ id: scanId, settings, version: version ?? 0 })}
        reload={async () => {
          const { data, error } = await edit.refetch()
          if (!data) throw error ?? new Error('no settings')
          return startOf(data)
        }}
        onSaved={() => {
          toast('confirmation', t`Changes saved. They apply from the next run.`)
          void navigate({ to: '/scans/$scanId', params: { scanId } })
        }}
      />
    )
  // The wizard has a heading of its own, which is the first one after loading.
  if (edit.isPending) return <Skeleton fillsScreen label={t`Loading the settings`} />
  if (edit.error instanceof ApiError && edit.error.status === 403)
    return (
      <AccessDenied productName={config.productName} crumbs={crumbs} title={t`You cannot change this scan`}>
        <p>{t`Scan admins can. Ask one of them to change it, or to give your team that role.`}</p>
      </AccessDenied>
    )
  return (
    <>
      <PageHead title={t`Edit scan`} productName={config.productName} crumbs={crumbs} />
      <ErrorCard
        title={t`The settings could not be loaded.`}
        error={edit.error}
        onRetry={() => void edit.refetch()}
      />
    </>
  )
}
