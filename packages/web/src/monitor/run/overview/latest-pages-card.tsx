import { useLingui } from '@lingui/react/macro'
import type { PageSummary } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useFocusOfCard } from '../../../kit/page/focus-title.ts'
import layout from '../../../kit/page/layout.module.css'
import { UrlText } from '../../../kit/text/url-text.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { shortenUrl } from '../../scan/model.ts'
import { useSession } from '../../user/model.ts'
import { latestPagesQuery, type RunOverviewData } from '../queries.ts'
import styles from './latest-pages-card.module.css'

/** The pages that a run in progress tested last, so that it visibly moves. */
export function LatestPagesCard({ run: { scanId, number, pages } }: { run: RunOverviewData }) {
  const { api: apiClient } = useSession()
  const latestPages = useQuery({
    ...latestPagesQuery(apiClient, { scanId, run: number }, pages.completed),
    enabled: pages.completed > 0,
  }).data?.content
  return latestPages?.length ? <LatestPages scanId={scanId} runNumber={number} pages={latestPages} /> : null
}

type LatestPagesProps = { scanId: RunOverviewData['scanId']; runNumber: number; pages: readonly PageSummary[] }

function LatestPages({ scanId, runNumber, pages: latestPages }: LatestPagesProps) {
  const { t } = useLingui()
  const cardRef = useRef<HTMLElement>(null)
  useFocusOfCard(cardRef)
  const [pages, setPages] = useState(latestPages)
  // A link stays where it is while it has the focus, or is about to be pressed.
  useEffect(() => {
    if (!cardRef.current?.matches(':focus-within, :hover')) setPages(latestPages)
  }, [latestPages])
  return (
    <section ref={cardRef} className={`${layout.card} ${layout.pad}`} aria-labelledby="latest-pages">
      <div className={layout.cardHead}>
        <h2 id="latest-pages">{t`Last tested pages`}</h2>
      </div>
      <ul className={styles.pages}>
        {pages.map((page) => (
          <li key={page.id}>
            {page.health && <SignLabel sign={page.health} />}
            <span className={layout.break}>
              <Link to="/pages" search={{ scanId: [scanId], run: runNumber, view: page.id }}>
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
