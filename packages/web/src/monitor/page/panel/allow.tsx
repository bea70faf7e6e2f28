import { useLingui } from '@lingui/react/macro'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { toUrlForm } from '@clearway/contract/monitor/run/left-out/model.ts'
import { hidesSecret } from '@clearway/contract/monitor/page/url/model.ts'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { AddLineButton } from '../../scan/parts/add-line-button.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { toUrlPattern } from '../model.ts'

type PageDetailData = z.output<typeof PageDetail>

/** Lets the next runs open a URL that was left out because it may change something. Requires the scan admin role. */
export function AllowPage({ page }: { page: PageDetailData }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const scanRights = useQuery(scanQuery(apiClient, page.scanId)).data?.rights
  if (!scanRights?.manage) return null
  const pattern = toUrlPattern(page.url)
  return (
    <>
      <p>{t`If opening it is harmless, the next runs can test it: ${pattern}`}</p>
      <AddLineButton scanId={page.scanId} setting="actingUrlsToOpen" line={pattern}>
        {t`Open it from the next run`}
      </AddLineButton>
    </>
  )
}

/** Lets the next runs test URLs of a form that was left out as endless. Requires the scan admin role. */
export function OpenTrap({ page }: { page: PageDetailData }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const scanRights = useQuery(scanQuery(apiClient, page.scanId)).data?.rights
  if (!scanRights?.manage) return null
  const pattern = toUrlForm(page.url)
  return (
    <>
      <p>{t`If these pages are different, the next runs can test them, as far as the page limit allows: ${pattern}`}</p>
      <AddLineButton scanId={page.scanId} setting="trapUrlsToOpen" line={pattern}>
        {t`Go on from the next run`}
      </AddLineButton>
    </>
  )
}

/** Lets the next runs count a page by itself that counts as another one. Requires the scan admin role. */
export function SeparatePage({ page }: { page: PageDetailData }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const scanRights = useQuery(scanQuery(apiClient, page.scanId)).data?.rights
  if (!scanRights?.manage) return null
  return (
    <AddLineButton scanId={page.scanId} setting="separatePages" line={page.url}>
      {t`Test it as a page of its own from the next run`}
    </AddLineButton>
  )
}

/** Lets each run test a page before others, whatever its page limit leaves out. Requires the scan admin role. */
export function AlwaysTestPage({ page }: { page: PageDetailData }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const scanRights = useQuery(scanQuery(apiClient, page.scanId)).data?.rights
  const isChosen = page.exclusion === null || page.exclusion === 'over-limit'
  if (!scanRights?.manage || !isChosen || !/^https?:/.test(page.url) || hidesSecret(page.url)) return null
  return (
    <div>
      <AddLineButton scanId={page.scanId} setting="alwaysTested" line={page.url}>
        {t`Test it in every run`}
      </AddLineButton>
    </div>
  )
}
