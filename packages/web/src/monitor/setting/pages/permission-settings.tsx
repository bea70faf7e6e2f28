import { useLingui } from '@lingui/react/macro'
import type { StoredSystemSettings, SystemSettings } from '@clearway/contract/monitor/setting/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { CheckField } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { LeaveGuard } from '../../../kit/dialog/leave-guard.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { isEditConflict, getFieldErrors } from '../../../kit/client/refusal.ts'
import { SaveFailure } from '../../../kit/form/save-failure.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSave } from '../../../kit/form/use-save.ts'
import { useSession } from '../../user/model.ts'
import { systemSettingsQuery, useSaveSystemSettings } from '../queries.ts'

/** What one ticks, as the request names it. */
export const permissionFields = [
  'allowScanMembersToCreateScans',
  'allowScanViewersToCreateScans',
] as const satisfies readonly (keyof SystemSettings)[]

/** /admin/permissions-settings */
export function PermissionSettingsPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const settings = useQuery(systemSettingsQuery(api))
  return (
    <>
      <PageHead title={t`Permissions`} productName={config.productName} />
      <QueryState
        query={settings}
        loadingLabel={t`Loading the settings`}
        failureTitle={t`The settings could not be loaded.`}
      />
      {settings.data && <SettingsForm stored={settings.data} />}
    </>
  )
}

function SettingsForm({ stored }: { stored: StoredSystemSettings }) {
  const { t } = useLingui()
  const toast = useToast()
  const { api } = useSession()
  const store = useSaveSystemSettings()
  const [values, setValues] = useState(stored)
  const labels: Record<keyof SystemSettings, string> = {
    allowScanMembersToCreateScans: t`Scan members may create scans`,
    allowScanViewersToCreateScans: t`Scan viewers may create scans`,
  }
  const errorText = (error: unknown) => {
    const errorMessage = t(getProblemMessage(error))
    return t`Error saving permissions settings: ${errorMessage}`
  }
  const save = useSave({
    version: stored.version,
    save: (version) => store.mutateAsync({ ...values, version }),
    fetchLatestVersion: async () => (await api.readSystemSettings({})).version,
    showServerErrors: (error) => {
      if (isEditConflict(error) || getFieldErrors(error).length > 0) return error
      toast('error', errorText(error))
      return null
    },
    onSaved: () => toast('confirmation', t`Permissions settings saved.`),
  })
  return (
    <form
      className={`${layout.card} ${layout.pad} ${layout.stack}`}
      onSubmit={(event) => {
        event.preventDefault()
        save.submit()
      }}
    >
      {save.saveFailure !== null && (
        <SaveFailure
          title={errorText(save.saveFailure)}
          error={save.saveFailure}
          onRetry={save.submit}
          onOverwrite={save.overwrite}
        />
      )}
      <p>{t`Administrators may always create scans, and so may people who have no role on any scan yet. Where somebody has several roles, the strictest one counts.`}</p>
      <div>
        {permissionFields.map((field) => (
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
      <LeaveGuard shouldBlock={() => permissionFields.some((field) => values[field] !== stored[field])} />
    </form>
  )
}
