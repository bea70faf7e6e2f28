import { useLingui } from '@lingui/react/macro'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { useSession } from '../../user/model.ts'
import { pagePictureQuery } from '../queries.ts'
import styles from './panel.module.css'

/** Screenshot of the page when a script step failed. Hidden from users who may not see it. */
export function PageMoment({ page }: { page: z.output<typeof PageDetail> }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const pictureResult = useQuery(pagePictureQuery(apiClient, page.id))
  if (!pictureResult.data) return null
  const detailText = page.detail ?? ''
  return (
    <DetailPart title={t`What the page looked like then`}>
      <img className={styles.moment} src={pictureResult.data} alt={t`The page when the step failed: ${detailText}`} />
    </DetailPart>
  )
}
