import { useLingui } from '@lingui/react/macro'
import type { PageId } from '@clearway/contract/kit/id.ts'
import type { IssueGroup } from '@clearway/contract/monitor/issue/schema.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { DataTable, type Column } from '../../../kit/table/table.tsx'
import type { SelectionState } from '../../../kit/table/use-selection.ts'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { useRuleTitle } from '../../ruleset/queries-texts.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { narrowed, type IssueSearch, type Sum } from '../model.ts'
import styles from './table.module.css'

type Props = {
  rows: readonly IssueGroup[]
  search: IssueSearch & { by: Sum }
  busy: boolean
  onSort: (sort: IssueSearch['groupSort']) => void
  /** Null for those who can do nothing with them. */
  selected: SelectionState | null
}

/** Issues summed up by what they have in common; the name of each group leads to its issues. */
export function IssueGroupTable({ rows, search, busy, onSort, selected }: Props) {
  const { t } = useLingui()
  const columns = useGroupColumns(search)
  const nameOf = useGroupName()
  return (
    <DataTable
      caption={t`Issue groups`}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      sort={search.groupSort}
      onSort={(sort) => onSort(sort as IssueSearch['groupSort'])}
      isBusy={busy}
      {...(selected && {
        rowSelection: {
          isSelected: ({ key }: IssueGroup) => selected.isSelected(key),
          getRowName: nameOf,
          onToggle: ({ key }: IssueGroup) => selected.toggleRow(key),
          onTogglePage: (on: boolean) =>
            selected.togglePage(
              rows.map(({ key }) => key),
              on,
            ),
        },
      })}
    />
  )
}

const useGroupName = () => {
  const { t, i18n } = useLingui()
  const titleOf = useRuleTitle(i18n.locale)
  return ({ name, rule, help }: IssueGroup): string =>
    rule !== null && help !== null ? titleOf(rule, help) : name === '' ? t`Not in a component` : name
}

function useGroupColumns(search: IssueSearch & { by: Sum }): readonly Column<IssueGroup>[] {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  return useMemo(() => {
    const heads: Record<Sum, string> = { rule: t`Rule`, page: t`Page`, component: t`Component` }
    const counted = (key: 'issues' | 'pages', head: string): Column<IssueGroup> => ({
      key,
      heading: head,
      sortField: key,
      firstDirection: 'desc',
      isNumeric: true,
      renderCell: (group) => number(group[key]),
    })
    return [
      {
        key: 'severity',
        heading: t`Impact`,
        sortField: 'severity',
        renderCell: ({ severity }) => <SignLabel sign={severity} />,
      },
      {
        key: 'name',
        heading: heads[search.by],
        sortField: 'name',
        isRowHeading: true,
        renderCell: (group) => <GroupName group={group} search={search} />,
      },
      counted('issues', t`Issues`),
      ...(search.by === 'page' ? [] : [counted('pages', t`Pages`)]),
    ]
  }, [t, number, search])
}

function GroupName({ group, search }: { group: IssueGroup; search: IssueSearch }) {
  const { key, name, rule, help, scanName } = group
  const nameOf = useGroupName()
  const within = { ...narrowed(search, [key]), by: '' as const, page: 1, issue: undefined }
  return (
    <>
      <Link
        className={styles.name}
        to="/issues"
        search={{ ...within, pageId: within.pageId as PageId[] }}
        resetScroll={false}
      >
        {rule !== null && help !== null ? <RuleTitle rule={rule} help={help} /> : nameOf(group)}
      </Link>
      <span className={`${layout.muted} ${layout.sm} ${styles.where}`}>
        {rule !== null && <code translate="no">{name}</code>}
        {scanName}
      </span>
    </>
  )
}
