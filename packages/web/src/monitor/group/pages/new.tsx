import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { GroupForm } from '../form/group-form.tsx'
import type { GroupValues } from '../parts/use-form.ts'

const emptyGroup: GroupValues = { name: '', targetScore: '', targetDue: '', admins: [], scans: [], teams: {} }

export function GroupNewPage(): ReactNode {
  const { t } = useLingui()
  return (
    <GroupForm
      id={null}
      version={0}
      initialValues={emptyGroup}
      title={t`New scan group`}
      finishLabel={t`Create scan group`}
      failureTitle={t`Error creating new scan group`}
    />
  )
}
