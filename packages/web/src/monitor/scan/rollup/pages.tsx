import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { healthScores } from '@clearway/contract/monitor/page/model.ts'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import type { PageSummary } from '@clearway/contract/monitor/page/schema.ts'
import { Link } from '@tanstack/react-router'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { UrlText } from '../../../kit/text/url-text.tsx'
import { shortenUrl } from '../model.ts'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { PageIssueCounts } from '../../page/parts/issue-counts.tsx'
import styles from './rollup.module.css'

type RollupPagesCardProps = { pages: readonly PageSummary[]; linkedScanIds: ScanId[] | null }

export function RollupPagesCard({ pages, linkedScanIds }: RollupPagesCardProps) {
  const { t } = useLingui()
  const pageColumns = usePageColumns()
  return (
    <section className={`${layout.card} ${styles.card}`} aria-labelledby="rollup-pages">
      <div className={styles.head}>
        <h2 id="rollup-pages">{t`Lowest-scoring pages`}</h2>
        {linkedScanIds && (
          <Link className={`${layout.sm} ${styles.screen}`} to="/pages" search={{ scanId: linkedScanIds }}>{t`All pages`}</Link>
        )}
      </div>
      {pages.length === 0 ? (
        <p className={styles.head}>{t`No tested page has a critical, serious or moderate issue.`}</p>
      ) : (
        <DataTable caption={t`Lowest-scoring pages`} columns={pageColumns} rows={pages} rowKey={({ id }) => id} />
      )}
    </section>
  )
}

function usePageColumns(): Column<PageSummary>[] {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  return [
    {
      key: 'page',
      heading: t`Page`,
      isRowHeading: true,
      renderCell: ({ id, scanId, runNumber, title, url }) => (
        <span className={styles.name}>
          <Link to="/pages" search={{ scanId: [scanId], run: runNumber, view: id }}>
            {title || <UrlText url={shortenUrl(url)} />}
          </Link>
          {title && (
            <span className={styles.url}>
              <UrlText url={shortenUrl(url)} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'scan',
      heading: t`Scan`,
      isSelfExplaining: true,
      renderCell: ({ scanName }) => <span className={layout.break}>{scanName}</span>,
    },
    {
      key: 'score',
      heading: t`Score`,
      isNumeric: true,
      renderCell: ({ health }) =>
        health ? formatNumber(toScorePoints(healthScores[health])) : <UnknownValue label={t`Not known`} />,
    },
    {
      key: 'issues',
      heading: t`Open issues`,
      isSelfExplaining: true,
      renderCell: ({ openIssues }) => <PageIssueCounts openIssues={openIssues} />,
    },
  ]
}
