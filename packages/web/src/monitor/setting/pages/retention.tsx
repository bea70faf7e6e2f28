import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { RetentionForm } from '../parts/retention-form.tsx'
import { retentionQuery } from '../queries.ts'

/** /admin/retention: how long runs keep what they found. */
export function RetentionPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const stored = useQuery(retentionQuery(api))
  return (
    <>
      <PageHead title={t`Retention`} productName={config.productName} />
      <QueryState
        query={stored}
        loadingLabel={t`Loading the settings`}
        failureTitle={t`The settings could not be loaded.`}
      />
      {stored.data && <RetentionForm stored={stored.data} />}
    </>
  )
}
