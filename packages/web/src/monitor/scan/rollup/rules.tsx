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
import styles from './rollup.module.css'

type Rule = z.output<typeof RollupRule>
type Template = z.output<typeof RollupTemplate>
type Props = {
  search: RollupSearch
  /** The same scans for the list of issues; null when they are too many for a link. */
  scans: ScanId[] | null
  onChange: (next: Partial<RollupSearch>) => void
}

/** What fails most over all the scans: by rule, or by the pattern of the element, which is a template's fault. */
export function RollupFaultsCard({ search, scans, onChange }: Props) {
  const { t } = useLingui()
  const title = search.faults === 'rules' ? t`Issues by rule` : t`Issues by template`
  return (
    <section className={`${layout.card} ${styles.card}`} aria-labelledby="rollup-faults">
      <div className={styles.head}>
        <h2 id="rollup-faults">{title}</h2>
        <Segmented
          label={t`Issues`}
          value={search.faults}
          onChange={(faults) => onChange({ faults })}
          options={[
            { value: 'rules', label: t`By rule` },
            { value: 'templates', label: t`By template` },
          ]}
        />
      </div>
      {search.faults === 'rules' ? (
        <Rules search={search} scans={scans} title={title} />
      ) : (
        <Templates search={search} title={title} />
      )}
    </section>
  )
}

type ListProps = { search: RollupSearch; title: string }

function Rules({ search, scans, title }: ListProps & Pick<Props, 'scans'>) {
  const { api } = useSession()
  const rules = useQuery(rollupRulesQuery(api, search))
  const columns = useColumns<Rule>(rules.data?.content, ({ rule, help }) => (
    <span className={styles.name}>
      {scans ? (
        <Link to="/issues" search={{ scanId: scans, rule: [rule] }}>
          <RuleTitle rule={rule} help={help} />
        </Link>
      ) : (
        <RuleTitle rule={rule} help={help} />
      )}
    </span>
  ))
  return <Listed list={rules} columns={columns} title={title} rowKey={({ rule }) => rule} />
}

function Templates({ search, title }: ListProps) {
  const { api } = useSession()
  const templates = useQuery(rollupTemplatesQuery(api, search))
  const columns = useColumns<Template>(templates.data?.content, ({ rule, help, selector, issueId }) => (
    <span className={styles.name}>
      <Link to="/issues" search={{ issue: issueId, rule: [rule] }}>
        <RuleTitle rule={rule} help={help} />
      </Link>
      {selector && <code translate="no">{selector}</code>}
    </span>
  ))
  return <Listed list={templates} columns={columns} title={title} rowKey={({ issueId }) => issueId} />
}

type ListedProps<Row> = {
  list: {
    data: { content: Row[] } | undefined
    error: unknown
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  columns: Column<Row>[]
  title: string
  rowKey: (row: Row) => string
}

function Listed<Row>({ list, columns, title, rowKey }: ListedProps<Row>) {
  const { t } = useLingui()
  if (list.error)
    return (
      <ErrorCard
        title={t`The issues could not be loaded.`}
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    )
  if (!list.data) return <Skeleton label={t`Loading issues`} />
  if (list.data.content.length === 0) return <p className={styles.head}>{t`There are no open issues.`}</p>
  return (
    <DataTable
      caption={title}
      columns={columns}
      rows={list.data.content}
      rowKey={rowKey}
      isBusy={list.isPlaceholderData}
    />
  )
}

function useColumns<Row extends Rule>(
  rows: readonly Row[] | undefined,
  name: (row: Row) => ReactNode,
): Column<Row>[] {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const most = Math.max(...(rows ?? []).map(({ issues }) => issues), 1)
  return [
    { key: 'fault', heading: t`What is wrong`, isRowHeading: true, renderCell: name },
    { key: 'severity', heading: t`Impact`, renderCell: ({ severity }) => <SignLabel sign={severity} /> },
    {
      key: 'issues',
      heading: t`Issues`,
      isNumeric: true,
      renderCell: ({ issues, severity }) => <BarNumber value={issues} most={most} sign={severity} />,
    },
    { key: 'pages', heading: t`Pages`, isNumeric: true, renderCell: ({ pages }) => number(pages) },
    { key: 'scans', heading: t`Scans`, isNumeric: true, renderCell: ({ scans }) => number(scans) },
  ]
}
