import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import { AccessDenied } from '../../../kit/page/access-denied.tsx'
import { CheckField } from '../../../kit/form/field.tsx'
import { problemText } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSession } from '../../user/model.ts'
import { newValues } from '../form/model.ts'
import { useScanActions } from '../queries.ts'
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

function NewScan({ crumbs }: { crumbs: readonly ReactNode[] }) {
  const { t } = useLingui()
  const { url, step } = route.useSearch()
  const navigate = route.useNavigate()
  const toast = useToast()
  const { create, start } = useScanActions()
  const [startNow, setStartNow] = useState(true)
  const [begin] = useState(() => ({ values: newValues(url), version: null, opened: null }))
  const created = useRef<ScanId | null>(null)
  const leave = () =>
    created.current && void navigate({ to: '/scans/$scanId', params: { scanId: created.current } })
  return (
    <ScanWizard
      scanId={null}
      address={url}
      start={begin}
      step={step}
      onStep={(next) => void navigate({ search: { url, step: next } })}
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
          onError: (error) => toast('error', t(problemText(error))),
          onSettled: leave,
        })
      }}
    >
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
