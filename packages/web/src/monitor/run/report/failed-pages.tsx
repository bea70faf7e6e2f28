import { Plural, useLingui } from '@lingui/react/macro'
import type { PageOverview } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type * as z from 'zod/mini'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { UrlText } from '../../../kit/text/url-text.tsx'
import { failureTexts } from '../../page/parts/reason-text.ts'
import { useSession } from '../../user/model.ts'
import { failedPagesQuery, type RunKey } from '../queries.ts'
import styles from './report.module.css'

type FailedPagesProps = { runKey: RunKey; count: number; failures: z.output<typeof PageOverview>['failures'] }

/** Pages that failed, by reason: the URLs of the first ones, and how many more there are. */
export function FailedPages({ runKey, count, failures }: FailedPagesProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatNumber } = useFormats()
  const { scanId, run } = runKey
  const failedPages = useQuery(failedPagesQuery(apiClient, runKey)).data?.content ?? []
  return (
    <>
      <h3>
        {t`Failed pages`} ({formatNumber(count)})
      </h3>
      <ul className={styles.failures}>
        {failures.map(({ reason, pages: pageCount }) => {
          const texts = failureTexts[reason as keyof typeof failureTexts]
          const failure = texts ? [reason as keyof typeof failureTexts] : []
          const listedPages = failedPages.filter((page) => page.failure === reason)
          const unlistedCount = pageCount - listedPages.length
          return (
            <li key={reason}>
              <Link to="/pages" search={{ scanId: [scanId], run, tab: 'failed', failure }}>
                {texts ? t(texts.what) : reason}
              </Link>
              {pageCount > 1 && <span className={layout.muted}> ({formatNumber(pageCount)})</span>}
              {listedPages.length > 0 && (
                <ul className={`${styles.urls} ${layout.sm}`}>
                  {listedPages.map(({ id, url }) => (
                    <li key={id}>
                      <UrlText url={url} />
                    </li>
                  ))}
                  {unlistedCount > 0 && (
                    <li>
                      <Plural value={unlistedCount} one="and # more page" other="and # more pages" />
                    </li>
                  )}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
