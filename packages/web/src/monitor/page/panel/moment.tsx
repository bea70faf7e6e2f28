import { useLingui } from '@lingui/react/macro'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { useSession } from '../../user/model.ts'
import { pagePictureQuery } from '../queries.ts'
import styles from './panel.module.css'

/** What a script saw as a step of it failed. Somebody who may not see it is shown nothing. */
export function PageMoment({ page }: { page: z.output<typeof PageDetail> }) {
  const { t } = useLingui()
  const { api } = useSession()
  const picture = useQuery(pagePictureQuery(api, page.id))
  if (!picture.data) return null
  const detail = page.detail ?? ''
  return (
    <DetailPart title={t`What the page looked like then`}>
      <img className={styles.moment} src={picture.data} alt={t`The page when the step failed: ${detail}`} />
    </DetailPart>
  )
}
