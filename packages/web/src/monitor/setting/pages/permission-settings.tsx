import { useLingui } from '@lingui/react/macro'
import type { SystemSettings } from '@clearway/contract/monitor/setting/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { CheckField } from '../../../kit/field.tsx'
import layout from '../../../kit/layout.module.css'
import { LeaveGuard } from '../../../kit/leave-guard.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { problemText } from '../../../kit/problem-text.ts'
import { ErrorCard, Skeleton } from '../../../kit/states.tsx'
import { useToast } from '../../../kit/toast.tsx'
import { useSession } from '../../user/model.ts'
import { systemSettingsQuery, useSaveSystemSettings } from '../queries.ts'

/** /admin/permissions-settings */
export function PermissionSettingsPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const settings = useQuery(systemSettingsQuery(api))
  return (
    <>
      <PageHead title={t`Permissions`} productName={config.productName} />
      {settings.isPending && <Skeleton label={t`Loading the settings`} />}
      {settings.isError && (
        <ErrorCard
          title={t`The settings could not be loaded.`}
          error={settings.error}
          onRetry={() => void settings.refetch()}
        />
      )}
      {settings.data && <SettingsForm stored={settings.data} />}
    </>
  )
}

function SettingsForm({ stored }: { stored: SystemSettings }) {
  const { t } = useLingui()
  const toast = useToast()
  const save = useSaveSystemSettings()
  const [values, setValues] = useState(stored)
  const labels: Record<keyof SystemSettings, string> = {
    allowScanMembersToCreateScans: t`Scan members may create scans`,
    allowScanViewersToCreateScans: t`Scan viewers may create scans`,
  }
  const fields = Object.keys(labels) as (keyof SystemSettings)[]
  const submit = () =>
    save.mutate(values, {
      onSuccess: () => toast('confirmation', t`Permissions settings saved.`),
      onError: (error) => {
        const errorMessage = t(problemText(error))
        toast('error', t`Error saving permissions settings: ${errorMessage}`)
      },
    })
  return (
    <form
      className={`${layout.card} ${layout.pad} ${layout.stack}`}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p>{t`Administrators may always create scans, and so may people who have no role on any scan yet. Where somebody has several roles, the strictest one counts.`}</p>
      <div>
        {fields.map((field) => (
          <CheckField key={field} label={labels[field]}>
            {(control) => (
              <input
                {...control}
                type="checkbox"
                checked={values[field]}
                onChange={(event) => setValues({ ...values, [field]: event.target.checked })}
              />
            )}
          </CheckField>
        ))}
      </div>
      <div>
        <Button kind="primary" type="submit" pending={save.isPending}>{t`Save`}</Button>
      </div>
      <LeaveGuard blocked={() => fields.some((field) => values[field] !== stored[field])} />
    </form>
  )
}
