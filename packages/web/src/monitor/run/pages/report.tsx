import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { TrendFigure } from '../history/trend-card.tsx'
import { useTrendComparison } from '../history/use-trend-comparison.ts'
import { HealthBar } from '../overview/health-bar.tsx'
import { runOverviewQuery, runPageOverviewQuery, runRulesQuery, runStatsQuery } from '../queries.ts'
import { CriterionCoverage } from '../report/criterion-coverage.tsx'
import { ReportCoverage, ReportCriteria, ReportMethod, ReportRules, ReportSummary } from '../report/sections.tsx'
import styles from '../report/report.module.css'

const reportRoute = getRouteApi('/scans/$scanId/$run/report')

/** /scans/{scanId}/{run}/report: the results of one run to read, to print and to hand on. */
export function RunReportPage() {
  const { t } = useLingui()
  const { scanId, run: runNumber } = reportRoute.useParams()
  const { api: apiClient, config: appConfig } = useSession()
  const { formatDateTime } = useFormats()
  const runKey = { scanId, run: runNumber }
  const overview = useQuery(runOverviewQuery(apiClient, runKey, false))
  const pageOverview = useQuery(runPageOverviewQuery(apiClient, runKey))
  const rules = useQuery(runRulesQuery(apiClient, runKey))
  const trend = useQuery(runStatsQuery(apiClient, runKey)).data?.trend ?? []
  const comparison = useTrendComparison(scanId, trend)
  const failedQuery = [overview, pageOverview, rules].find((query) => query.isError)
  const scanName = overview.data?.scanName ?? ''
  const title = overview.data ? t`Accessibility report: ${scanName}` : t`Accessibility report`
  return (
    <>
      <PageHead
        title={title}
        document={t`${title}, run ${runNumber}`}
        productName={appConfig.productName}
        crumbs={[
          <Link key="scans" to="/scans">{t`Scans`}</Link>,
          <Link key="scan" to="/scans/$scanId" params={{ scanId }}>
            {scanName}
          </Link>,
          <Link key="run" to="/scans/$scanId/$run" params={{ scanId, run: runNumber }}>{t`Run ${runNumber}`}</Link>,
        ]}
        facts={
          overview.data && (
            <span>
              {t`Run ${runNumber}`}, {formatDateTime(overview.data.endedAt ?? overview.data.queuedAt)}
            </span>
          )
        }
        actions={<Button onPress={() => window.print()}>{t`Print`}</Button>}
      />
      <QueryState
        query={failedQuery ?? overview}
        loadingLabel={t`Loading the report`}
        failureTitle={t`The report could not be loaded.`}
        fillsScreen
      />
      {overview.data && pageOverview.data && rules.data && (
        <div className={layout.stack}>
          <section className={`${layout.card} ${styles.summary}`} aria-labelledby="summary">
            <div className={`${layout.pad} ${layout.tight}`}>
              <h2 id="summary">{t`Summary`}</h2>
              <ReportSummary run={overview.data} rules={rules.data.content} />
              <HealthBar run={overview.data} />
            </div>
            {trend.filter(({ score }) => score !== null).length > 1 && (
              <div className={`${layout.pad} ${layout.tight}`}>
                <TrendFigure trend={trend} comparison={comparison} marks={[]} target={null} />
              </div>
            )}
          </section>
          <ReportRules rules={rules.data.content} runKey={runKey} />
          <ReportCriteria rules={rules.data.content} runKey={runKey} />
          <ReportCoverage run={overview.data} pages={pageOverview.data} />
          <CriterionCoverage run={overview.data} driven={pageOverview.data.driven} />
          <ReportMethod run={overview.data} />
        </div>
      )}
    </>
  )
}
