import { useLingui } from '@lingui/react/macro'
import type { StoredSystemSettings, SystemSettings } from '@clearway/contract/monitor/setting/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { CheckField } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { LeaveGuard } from '../../../kit/dialog/leave-guard.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { isEditConflict, getFieldErrors } from '../../../kit/client/field-errors.ts'
import { SaveFailure } from '../../../kit/form/save-failure.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSave } from '../../../kit/form/use-save.ts'
import { useSession } from '../../user/model.ts'
import { systemSettingsQuery, useSaveSystemSettings } from '../queries.ts'

export const permissionFields = [
  'allowScanMembersToCreateScans',
  'allowScanViewersToCreateScans',
] as const satisfies readonly (keyof SystemSettings)[]

export function PermissionSettingsPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const settingsResult = useQuery(systemSettingsQuery(apiClient))
  return (
    <>
      <PageHead title={t`Permissions`} productName={appConfig.productName} />
      <QueryState
        query={settingsResult}
        loadingLabel={t`Loading the settings`}
        failureTitle={t`The settings could not be loaded.`}
      />
      {settingsResult.data && <SettingsForm stored={settingsResult.data} />}
    </>
  )
}

function SettingsForm({ stored: storedSettings }: { stored: StoredSystemSettings }) {
  const { t } = useLingui()
  const showToast = useToast()
  const { api: apiClient } = useSession()
  const saveMutation = useSaveSystemSettings()
  const [formValues, setFormValues] = useState(storedSettings)
  const fieldLabels = {
    allowScanMembersToCreateScans: t`Scan members may create scans`,
    allowScanViewersToCreateScans: t`Scan viewers may create scans`,
  }
  const getErrorText = (error: unknown) => {
    const errorMessage = t(getProblemMessage(error))
    return t`Error saving permissions settings: ${errorMessage}`
  }
  const saveState = useSave({
    version: storedSettings.version,
    save: (version) => saveMutation.mutateAsync({ ...formValues, version }),
    fetchLatestVersion: async () => (await apiClient.readSystemSettings({})).version,
    showServerErrors: (error) => {
      if (isEditConflict(error) || getFieldErrors(error).length > 0) return error
      showToast('error', getErrorText(error), { error })
      return null
    },
    onSaved: () => showToast('confirmation', t`Permissions settings saved.`),
  })
  return (
    <form
      className={`${layout.card} ${layout.pad} ${layout.stack}`}
      onSubmit={(event) => {
        event.preventDefault()
        saveState.submit()
      }}
    >
      {saveState.saveFailure !== null && (
        <SaveFailure
          title={getErrorText(saveState.saveFailure)}
          error={saveState.saveFailure}
          onRetry={saveState.submit}
          onOverwrite={saveState.overwrite}
        />
      )}
      <h2>{t`Who may create scans`}</h2>
      <p>{t`Users can create scans; auditors cannot. Clear a box to stop users with this role on any scan from creating scans.`}</p>
      <div className={layout.tight}>
        {permissionFields.map((field) => (
          <CheckField key={field} label={fieldLabels[field]}>
            {(control) => (
              <input
                {...control}
                type="checkbox"
                checked={formValues[field]}
                onChange={({ target }) => setFormValues({ ...formValues, [field]: target.checked })}
              />
            )}
          </CheckField>
        ))}
      </div>
      <div>
        <Button kind="primary" type="submit" pending={saveState.isPending}>{t`Save`}</Button>
      </div>
      <LeaveGuard shouldBlock={() => permissionFields.some((field) => formValues[field] !== storedSettings[field])} />
    </form>
  )
}
