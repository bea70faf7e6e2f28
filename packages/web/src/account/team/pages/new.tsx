import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { TeamForm } from '../form/team-form.tsx'

export function TeamNewPage(): ReactNode {
  const { t } = useLingui()
  const { config } = useSession()
  return (
    <>
      <PageHead
        title={t`New team`}
        productName={config.productName}
        crumbs={[<Link key="teams" to="/admin/teams">{t`Teams`}</Link>]}
      />
      <TeamForm stored={{ id: null, name: '', members: [] }} />
    </>
  )
}
