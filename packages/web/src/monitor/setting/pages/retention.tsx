import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { RetentionForm } from '../parts/retention-form.tsx'
import { retentionQuery } from '../queries.ts'

export function RetentionPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const retentionResult = useQuery(retentionQuery(apiClient))
  return (
    <>
      <PageHead title={t`Retention`} productName={appConfig.productName} />
      <QueryState
        query={retentionResult}
        loadingLabel={t`Loading the settings`}
        failureTitle={t`The settings could not be loaded.`}
      />
      {retentionResult.data && <RetentionForm stored={retentionResult.data} />}
    </>
  )
}
