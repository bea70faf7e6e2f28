import { useLingui } from '@lingui/react/macro'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { StoredSystemSettings, SystemSettings } from '@clearway/contract/monitor/setting/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, createContext, useContext, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { LeaveGuard } from '../../../kit/dialog/leave-guard.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { isEditConflict, getFieldErrors } from '../../../kit/client/field-errors.ts'
import { SaveFailure } from '../../../kit/form/save-failure.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSave } from '../../../kit/form/use-save.ts'
import { useRoleNames } from '../../access/parts/role-names.tsx'
import styles from './permission-settings.module.css'
import { useSession } from '../../user/model.ts'
import { systemSettingsQuery, useSaveSystemSettings } from '../queries.ts'

export const permissionFields = [
  'allowScanMembersToCreateScans',
  'allowScanViewersToCreateScans',
] as const satisfies readonly (keyof SystemSettings)[]

type RoleRow = { role: ScanRole | 'administrator' | 'none' | 'auditor'; field?: (typeof permissionFields)[number] }
/** Roles without a field may always create scans, except auditors, who never may. */
const roleRows: readonly RoleRow[] = [
  { role: 'administrator' },
  { role: 'scanAdmin' },
  { role: 'scanMember', field: 'allowScanMembersToCreateScans' },
  { role: 'scanViewer', field: 'allowScanViewersToCreateScans' },
  { role: 'none' },
  { role: 'auditor' },
]

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
      className={`${layout.card} ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault()
        saveState.submit()
      }}
    >
      {saveState.saveFailure !== null && (
        <div className={layout.pad}>
          <SaveFailure
            title={getErrorText(saveState.saveFailure)}
            error={saveState.saveFailure}
            onRetry={saveState.submit}
            onOverwrite={saveState.overwrite}
          />
        </div>
      )}
      <FormContext value={{ values: formValues, setValues: setFormValues }}>
        <DataTable caption={t`Permissions`} columns={useRoleColumns()} rows={roleRows} rowKey={({ role }) => role} />
      </FormContext>
      <div className={`${layout.pad} ${layout.stack}`}>
        <p
          className={layout.muted}
        >{t`Users get scan roles from the access of their teams. With several roles, each must allow it.`}</p>
        <div>
          <Button kind="primary" type="submit" pending={saveState.isPending}>{t`Save`}</Button>
        </div>
      </div>
      <LeaveGuard shouldBlock={() => permissionFields.some((field) => formValues[field] !== storedSettings[field])} />
    </form>
  )
}

type FormState = { values: StoredSystemSettings; setValues: (values: StoredSystemSettings) => void }
/** Cells read the form here: the table renders new columns later than a checkbox has to change. */
const FormContext = createContext<FormState | null>(null)

function useRoleColumns(): readonly Column<RoleRow>[] {
  const { t } = useLingui()
  const scanRoleNames = { ...useRoleNames(), none: t`No role` }
  const getRoleName = (role: RoleRow['role']) => {
    if (role === 'administrator') return t`Administrator`
    return role === 'auditor' ? t`Auditor` : `${t`User`} · ${scanRoleNames[role]}`
  }
  return [
    { key: 'role', heading: t`Role`, isRowHeading: true, renderCell: ({ role }) => getRoleName(role) },
    {
      key: 'allowed',
      heading: t`May create scans`,
      renderCell: ({ role, field }) =>
        field === undefined ? (
          <span className={layout.muted}>{role === 'auditor' ? t`Never` : t`Always`}</span>
        ) : (
          <RoleCheckbox field={field} />
        ),
    },
  ]
}

function RoleCheckbox({ field }: { field: (typeof permissionFields)[number] }) {
  const { t } = useLingui()
  const formState = useContext(FormContext)
  const settingLabels = {
    allowScanMembersToCreateScans: t`Scan members may create scans`,
    allowScanViewersToCreateScans: t`Scan viewers may create scans`,
  }
  if (!formState) return null
  const { values, setValues } = formState
  return (
    <input
      type="checkbox"
      aria-label={settingLabels[field]}
      checked={values[field]}
      onChange={({ target }) => setValues({ ...values, [field]: target.checked })}
    />
  )
}
