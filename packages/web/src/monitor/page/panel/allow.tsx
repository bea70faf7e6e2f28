import { useLingui } from '@lingui/react/macro'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { scanQuery, useAddSettingLine } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { toUrlPattern } from '../model.ts'

type PageDetailData = z.output<typeof PageDetail>

/** Lets the next runs open a URL that was left out because it may change something. Requires the scan admin role. */
export function AllowPage({ page }: { page: PageDetailData }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const showToast = useToast()
  const scanRights = useQuery(scanQuery(apiClient, page.scanId)).data?.rights
  const allowMutation = useAddSettingLine('actingUrlsToOpen')
  if (!scanRights?.manage) return null
  const pattern = toUrlPattern(page.url)
  const allowPage = () =>
    allowMutation.mutate(
      { scanId: page.scanId, line: pattern },
      {
        onSuccess: () => showToast('confirmation', t`Changes saved. They apply from the next run.`),
        onError: (error) => showToast('error', t(getProblemMessage(error))),
      },
    )
  return (
    <>
      <p>{t`If opening it is harmless, the next runs can test it: ${pattern}`}</p>
      <Button small pending={allowMutation.isPending} disabled={allowMutation.isSuccess} onPress={allowPage}>
        {t`Open it from the next run`}
      </Button>
    </>
  )
}
