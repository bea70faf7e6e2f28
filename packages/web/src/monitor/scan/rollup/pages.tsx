import { useLingui } from '@lingui/react/macro'
import type { PageSummary } from '@clearway/contract/monitor/page/schema.ts'
import { Link } from '@tanstack/react-router'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { Count } from '../../../kit/text/count.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { UrlText } from '../../../kit/text/url-text.tsx'
import { shortenUrl } from '../model.ts'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { BarNumber } from './bar.tsx'
import styles from './rollup.module.css'

export function RollupPagesCard({ pages }: { pages: readonly PageSummary[] }) {
  const { t } = useLingui()
  const pageColumns = usePageColumns(pages)
  return (
    <section className={`${layout.card} ${styles.card}`} aria-labelledby="rollup-pages">
      <div className={styles.head}>
        <h2 id="rollup-pages">{t`Worst pages`}</h2>
      </div>
      {pages.length === 0 ? (
        <p className={styles.head}>{t`No tested page has a critical, serious or moderate issue.`}</p>
      ) : (
        <DataTable caption={t`Worst pages`} columns={pageColumns} rows={pages} rowKey={({ id }) => id} />
      )}
    </section>
  )
}

function usePageColumns(pages: readonly PageSummary[]): Column<PageSummary>[] {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const criticalCounts = pages.map(({ openIssues }) => openIssues.critical)
  const maxCritical = Math.max(...criticalCounts, 1)
  // Bars of one length compare nothing.
  const hasBars = new Set(criticalCounts).size > 1
  // The same value in each row is no column.
  const hasHealths = new Set(pages.map(({ health }) => health)).size > 1
  const healthColumn: Column<PageSummary> = {
    key: 'health',
    heading: t`Health`,
    renderCell: ({ health }) => (health ? <SignLabel sign={health} /> : <UnknownValue label={t`Not known`} />),
  }
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
      renderCell: ({ scanName }) => <span className={layout.break}>{scanName}</span>,
    },
    ...(hasHealths ? [healthColumn] : []),
    {
      key: 'critical',
      heading: t`Critical`,
      isNumeric: true,
      renderCell: ({ openIssues }) =>
        hasBars ? (
          <BarNumber value={openIssues.critical} maxValue={maxCritical} sign="critical" />
        ) : (
          formatNumber(openIssues.critical)
        ),
    },
    {
      key: 'serious',
      heading: t`Serious`,
      isNumeric: true,
      renderCell: ({ openIssues }) => <Count value={openIssues.serious} />,
    },
  ]
}
