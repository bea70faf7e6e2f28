import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { QuotaForm } from '../parts/quota-form.tsx'
import { quotasQuery } from '../queries.ts'

/** /admin/quotas: how much one person may have and do. */
export function QuotasPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const stored = useQuery(quotasQuery(api))
  return (
    <>
      <PageHead title={t`Quotas`} productName={config.productName} />
      <QueryState
        query={stored}
        loadingLabel={t`Loading the settings`}
        failureTitle={t`The settings could not be loaded.`}
      />
      {stored.data && <QuotaForm stored={stored.data} />}
    </>
  )
}
