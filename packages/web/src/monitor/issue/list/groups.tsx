import { Plural, useLingui } from '@lingui/react/macro'
import type { PageId } from '@clearway/contract/kit/id.ts'
import type { IssueGroup } from '@clearway/contract/monitor/issue/schema.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { DataTable, type Column } from '../../../kit/table/table.tsx'
import type { SelectionState } from '../../../kit/table/use-selection.ts'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { RuleGain, useScoreGains } from '../../run/parts/rule-gain.tsx'
import { RuleTitle, useResultTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { narrowToGroups, type IssueSearch, type GroupProperty } from '../model.ts'
import styles from './table.module.css'

type IssueGroupTableProps = {
  rows: readonly IssueGroup[]
  search: IssueSearch & { by: GroupProperty }
  isBusy: boolean
  onSort: (sort: IssueSearch['groupSort']) => void
  /** Null for users without permission to change the groups. */
  selectionState: SelectionState | null
}

export function IssueGroupTable({ rows, search, isBusy, onSort, selectionState }: IssueGroupTableProps) {
  const { t } = useLingui()
  const tableColumns = useGroupColumns(search)
  const getGroupName = useGroupNameGetter()
  return (
    <DataTable
      caption={t`Issue groups`}
      columns={tableColumns}
      rows={rows}
      rowKey={({ key }) => key}
      sort={search.groupSort}
      onSort={(sort) => onSort(sort as IssueSearch['groupSort'])}
      isBusy={isBusy}
      {...(selectionState && {
        rowSelection: {
          isSelected: ({ key }: IssueGroup) => selectionState.isSelected(key),
          getRowName: getGroupName,
          onToggle: ({ key }: IssueGroup) => selectionState.toggleRow(key),
          onTogglePage: (on: boolean) =>
            selectionState.togglePage(
              rows.map(({ key }) => key),
              on,
            ),
        },
      })}
    />
  )
}

const useGroupNameGetter = () => {
  const { t } = useLingui()
  const getResultTitle = useResultTitle()
  return ({ name, rule, help, issues: issueCount }: IssueGroup): string =>
    rule !== null && help !== null
      ? getResultTitle({ rule, help, isUndecided: issueCount === 0 })
      : name === ''
        ? t`Not in a component`
        : name
}

/** The gain of a rule in its run, whatever the filters leave of its issues. */
const createGainColumn = (heading: string, scoreGains: ReadonlyMap<string, number>): Column<IssueGroup> => ({
  key: 'gain',
  heading,
  isNumeric: true,
  renderCell: ({ key }) => <RuleGain scoreGain={scoreGains.get(key) ?? 0} />,
})

function useGroupColumns(search: IssueSearch & { by: GroupProperty }): readonly Column<IssueGroup>[] {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const scoreGains = useScoreGains({ scanIds: search.scanId, run: search.run, isEnabled: search.by === 'rule' })
  return useMemo(() => {
    const headingLabels: Record<GroupProperty, string> = {
      rule: t`Rule`,
      page: t`Page`,
      component: t`Component`,
    }
    const createCountColumn = (key: 'issues' | 'pages', heading: string): Column<IssueGroup> => ({
      key,
      heading,
      sortField: key,
      firstDirection: 'desc',
      isNumeric: true,
      renderCell: (group) => formatNumber(group[key]),
    })
    return [
      {
        key: 'severity',
        heading: t`Impact`,
        sortField: 'severity',
        isWorstFirst: true,
        isSelfExplaining: true,
        renderCell: ({ severity }) => <SignLabel sign={severity} />,
      },
      {
        key: 'name',
        heading: headingLabels[search.by],
        sortField: 'name',
        isRowHeading: true,
        renderCell: (group) => <GroupName group={group} search={search} />,
      },
      {
        ...createCountColumn('issues', t`Issues`),
        renderCell: ({ issues, needsReview }) => (
          <>
            {formatNumber(issues)}
            {needsReview > 0 && (
              <span className={`${layout.muted} ${layout.sm} ${layout.nowrap} ${styles.review}`}>
                <Plural value={needsReview} one="# to review" other="# to review" />
              </span>
            )}
          </>
        ),
      },
      ...(search.by === 'page' ? [] : [createCountColumn('pages', t`Pages`)]),
      ...(scoreGains ? [createGainColumn(t`Score gain`, scoreGains)] : []),
    ]
  }, [t, formatNumber, search, scoreGains])
}

function GroupName({ group, search }: { group: IssueGroup; search: IssueSearch }) {
  const { key, name: groupName, rule, help, scanName, issues: issueCount } = group
  const getGroupName = useGroupNameGetter()
  const groupSearch = { ...narrowToGroups(search, [key]), by: '' as const, page: 1, issue: undefined }
  return (
    <>
      <Link
        className={styles.name}
        to="/issues"
        search={{ ...groupSearch, pageId: groupSearch.pageId as PageId[] }}
        resetScroll={false}
      >
        {rule !== null && help !== null ? (
          <RuleTitle rule={rule} help={help} isUndecided={issueCount === 0} />
        ) : (
          getGroupName(group)
        )}
      </Link>
      <span className={`${layout.muted} ${layout.sm} ${styles.where}`}>
        {rule !== null && <code translate="no">{groupName}</code>}
        {scanName}
      </span>
    </>
  )
}
