import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { RollupRule, RollupTemplate } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import type { RollupSearch } from './model.ts'
import { rollupRulesQuery, rollupTemplatesQuery } from './queries.ts'
import { BarNumber } from './bar.tsx'
import { RuleLink } from './rule-link.tsx'
import styles from './rollup.module.css'

type RollupRuleRow = z.output<typeof RollupRule>
type RollupTemplateRow = z.output<typeof RollupTemplate>
type RollupFaultsCardProps = {
  search: RollupSearch
  /** The same scans for the issue list; null if there are too many for a link. */
  linkedScanIds: ScanId[] | null
  onChange: (next: Partial<RollupSearch>) => void
}

/** The most frequent issues of all scans, by rule or by element pattern. A pattern corresponds to a page template. */
export function RollupFaultsCard({ search, linkedScanIds, onChange }: RollupFaultsCardProps) {
  const { t } = useLingui()
  const cardTitle = search.faults === 'rules' ? t`Issues by rule` : t`Issues by template`
  return (
    <section className={`${layout.card} ${styles.card}`} aria-labelledby="rollup-faults">
      <div className={styles.head}>
        <h2 id="rollup-faults">{cardTitle}</h2>
        <span className={layout.row}>
          {linkedScanIds && search.faults === 'rules' && (
            <Link
              className={`${layout.sm} ${styles.screen}`}
              to="/issues"
              search={{ scanId: linkedScanIds, by: 'rule' }}
            >{t`All rules`}</Link>
          )}
          <Segmented
            label={t`Issues`}
            value={search.faults}
            onChange={(faults) => onChange({ faults })}
            options={[
              { value: 'rules', label: t`By rule` },
              { value: 'templates', label: t`By template` },
            ]}
          />
        </span>
      </div>
      {search.faults === 'rules' ? (
        <Rules search={search} linkedScanIds={linkedScanIds} title={cardTitle} />
      ) : (
        <TemplateList search={search} title={cardTitle} />
      )}
    </section>
  )
}

type FaultListProps = { search: RollupSearch; title: string }

function Rules({ search, linkedScanIds, title }: FaultListProps & Pick<RollupFaultsCardProps, 'linkedScanIds'>) {
  const { api: apiClient } = useSession()
  const rulesResult = useQuery(rollupRulesQuery(apiClient, search))
  const ruleColumns = useFaultColumns<RollupRuleRow>(rulesResult.data?.content, ({ rule, help }) => (
    <span className={styles.name}>
      <RuleLink rule={rule} help={help} linkedScanIds={linkedScanIds} />
    </span>
  ))
  return <FaultTable list={rulesResult} columns={ruleColumns} title={title} rowKey={({ rule }) => rule} />
}

function TemplateList({ search, title }: FaultListProps) {
  const { api: apiClient } = useSession()
  const templatesResult = useQuery(rollupTemplatesQuery(apiClient, search))
  const templateColumns = useFaultColumns<RollupTemplateRow>(
    templatesResult.data?.content,
    ({ rule, help, selector, issueId }) => (
      <span className={styles.name}>
        <Link to="/issues" search={{ issue: issueId, rule: [rule] }}>
          <RuleTitle rule={rule} help={help} />
        </Link>
        {selector && <code translate="no">{selector}</code>}
      </span>
    ),
  )
  return <FaultTable list={templatesResult} columns={templateColumns} title={title} rowKey={({ issueId }) => issueId} />
}

type FaultTableProps<Row> = {
  list: { data: { content: Row[] } | undefined; error: unknown; isPlaceholderData: boolean; refetch: () => unknown }
  columns: Column<Row>[]
  title: string
  rowKey: (row: Row) => string
}

function FaultTable<Row>({ list, columns, title, rowKey }: FaultTableProps<Row>) {
  const { t } = useLingui()
  if (list.error)
    return <ErrorCard title={t`The issues could not be loaded.`} error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <Skeleton label={t`Loading issues`} />
  if (list.data.content.length === 0) return <p className={styles.head}>{t`There are no open issues.`}</p>
  return <DataTable caption={title} columns={columns} rows={list.data.content} rowKey={rowKey} isBusy={list.isPlaceholderData} />
}

function useFaultColumns<Row extends RollupRuleRow>(
  rows: readonly Row[] | undefined,
  renderName: (row: Row) => ReactNode,
): Column<Row>[] {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const maxIssues = Math.max(...(rows ?? []).map(({ issues }) => issues), 1)
  return [
    { key: 'fault', heading: t`What is wrong`, isRowHeading: true, renderCell: renderName },
    { key: 'severity', heading: t`Impact`, isSelfExplaining: true, renderCell: ({ severity }) => <SignLabel sign={severity} /> },
    {
      key: 'issues',
      heading: t`Issues`,
      isNumeric: true,
      renderCell: ({ issues, severity }) => <BarNumber value={issues} maxValue={maxIssues} sign={severity} />,
    },
    { key: 'pages', heading: t`Pages`, isNumeric: true, renderCell: ({ pages }) => formatNumber(pages) },
    { key: 'scans', heading: t`Scans`, isNumeric: true, renderCell: ({ scans }) => formatNumber(scans) },
  ]
}
