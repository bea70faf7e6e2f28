import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import { AccessDenied } from '../../../kit/page/access-denied.tsx'
import { CheckField } from '../../../kit/form/field.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { PageHead } from '../../../kit/page/head.tsx'
import { ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSession } from '../../user/model.ts'
import { copyOf, newValues, valuesOf } from '../form/model.ts'
import { scanEditQuery, useScanActions } from '../queries.ts'
import type { Start } from '../wizard/start.ts'
import { ScanWizard } from '../wizard/wizard.tsx'

const route = getRouteApi('/scans/new')

/** /scans/new */
export function ScanNewPage(): ReactNode {
  const { t } = useLingui()
  const { config, permissions } = useSession()
  const crumbs = [<Link key="scans" to="/scans">{t`Scans`}</Link>]
  if (permissions.canCreateScans) return <NewScan crumbs={crumbs} />
  return (
    <AccessDenied productName={config.productName} crumbs={crumbs} title={t`You cannot create scans`}>
      <p>{t`Your administrator decides who may create scans. Ask them, or ask a scan admin to create one for you.`}</p>
    </AccessDenied>
  )
}

type NewProps = { crumbs: readonly ReactNode[] }

/** A new scan, with the settings of another one where one is duplicated. */
function NewScan({ crumbs }: NewProps) {
  const { url, from } = route.useSearch()
  const [begin] = useState(() => ({ values: newValues(url), version: null, opened: null }))
  return from === '' ? (
    <NewWizard crumbs={crumbs} start={begin} />
  ) : (
    <Duplicate crumbs={crumbs} from={from as ScanId} />
  )
}

function Duplicate({ crumbs, from }: NewProps & { from: ScanId }) {
  const { t } = useLingui()
  const { api, config } = useSession()
  const edit = useQuery(scanEditQuery(api, from))
  if (edit.isPending) return <Skeleton fillsScreen label={t`Loading the settings`} />
  if (edit.isError)
    return (
      <>
        <PageHead title={t`New scan`} productName={config.productName} crumbs={crumbs} />
        <ErrorCard
          title={t`The settings could not be loaded.`}
          error={edit.error}
          onRetry={() => void edit.refetch()}
        />
      </>
    )
  const { stored, access, shared } = edit.data
  const { name } = stored.settings
  const copy = t`Copy of ${name}`.slice(0, defaultLimits.nameLength)
  const values = { ...copyOf(valuesOf(stored.settings, { access, shared })), name: copy }
  return (
    <NewWizard crumbs={crumbs} start={{ values, version: null, opened: null }}>
      <Notice kind="info" title={t`These are the settings of ${name}`}>
        <p>{t`Teams and recipients are copied: look through them. Passwords, keystores and other secret values, the schedule and scan groups are not: set them again where the scan needs them. Runs, issues and tags stay with the original.`}</p>
      </Notice>
    </NewWizard>
  )
}

function NewWizard({ crumbs, start: begin, children }: NewProps & { start: Start; children?: ReactNode }) {
  const { t } = useLingui()
  const { url, from, step } = route.useSearch()
  const navigate = route.useNavigate()
  const toast = useToast()
  const { create, start } = useScanActions()
  const [startNow, setStartNow] = useState(true)
  const created = useRef<ScanId | null>(null)
  const leave = () =>
    created.current && void navigate({ to: '/scans/$scanId', params: { scanId: created.current } })
  return (
    <ScanWizard
      scanId={null}
      url={from || url}
      start={begin}
      step={step}
      onStep={(next) => void navigate({ search: { url, from, step: next } })}
      title={t`New scan`}
      crumbs={crumbs}
      finish={t`Create scan`}
      failed={t`The scan could not be created.`}
      save={async (settings) => {
        created.current = (await create.mutateAsync(settings)).id
      }}
      reload={() => Promise.resolve(begin)}
      onSaved={() => {
        if (!startNow || !created.current) return leave()
        // The scan exists either way; a run that does not start is said on its page.
        start.mutate(created.current, {
          onError: (error) => toast('error', t(getProblemMessage(error))),
          onSettled: leave,
        })
      }}
    >
      {children}
      <CheckField label={t`Start the first run now`}>
        {(control) => (
          <input
            {...control}
            type="checkbox"
            checked={startNow}
            onChange={(e) => setStartNow(e.target.checked)}
          />
        )}
      </CheckField>
    </ScanWizard>
  )
}
