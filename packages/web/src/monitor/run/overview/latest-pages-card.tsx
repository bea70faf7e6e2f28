import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import layout from '../../../kit/page/layout.module.css'
import { UrlText } from '../../../kit/text/url-text.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { shortenUrl } from '../../scan/model.ts'
import { useSession } from '../../user/model.ts'
import { latestPagesQuery, type RunOverviewData } from '../queries.ts'
import styles from './latest-pages-card.module.css'

/** The pages that a run in progress tested last, so that it visibly moves. */
export function LatestPagesCard({ run: { scanId, number, pages } }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const latestPages = useQuery({
    ...latestPagesQuery(apiClient, { scanId, run: number }, pages.completed),
    enabled: pages.completed > 0,
  }).data?.content
  if (!latestPages?.length) return null
  return (
    <section className={`${layout.card} ${layout.pad}`} aria-labelledby="latest-pages">
      <div className={layout.cardHead}>
        <h2 id="latest-pages">{t`Last tested pages`}</h2>
      </div>
      <ul className={styles.pages}>
        {latestPages.map((page) => (
          <li key={page.id}>
            {page.health && <SignLabel sign={page.health} />}
            <span className={layout.break}>
              <Link to="/pages" search={{ scanId: [scanId], run: number, view: page.id }}>
                {page.title || <UrlText url={shortenUrl(page.url)} />}
              </Link>
              {page.title && (
                <span className={`${layout.muted} ${layout.sm} ${styles.url}`}>
                  <UrlText url={shortenUrl(page.url)} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
