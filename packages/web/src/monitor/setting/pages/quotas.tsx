import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { QuotaForm } from '../parts/quota-form.tsx'
import { quotaUseQuery, quotasQuery } from '../queries.ts'

export function QuotasPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const quotasResult = useQuery(quotasQuery(apiClient))
  const quotaUse = useQuery(quotaUseQuery(apiClient)).data
  return (
    <>
      <PageHead title={t`Quotas`} productName={appConfig.productName} />
      <QueryState
        query={quotasResult}
        loadingLabel={t`Loading the settings`}
        failureTitle={t`The settings could not be loaded.`}
      />
      {quotasResult.data && <QuotaForm stored={quotasResult.data} use={quotaUse} />}
    </>
  )
}
