import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page-head.tsx'
import { useSession } from '../../user/model.ts'
import type { GroupValues } from '../parts/group-form.tsx'
import { GroupForm } from '../parts/group-form.tsx'

const nothing: GroupValues = { name: '', admins: [], scans: [], teams: {} }

/** /admin/groups/new */
export function GroupNewPage(): ReactNode {
  const { t } = useLingui()
  const { config } = useSession()
  return (
    <>
      <PageHead
        title={t`New scan group`}
        productName={config.productName}
        crumbs={[<Link key="groups" to="/admin">{t`Scan groups`}</Link>]}
      />
      <GroupForm
        id={null}
        version={0}
        before={nothing}
        submit={t`Create scan group`}
        failed={t`Error creating new scan group`}
      />
    </>
  )
}
