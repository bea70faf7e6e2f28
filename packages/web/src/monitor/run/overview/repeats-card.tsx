import { Plural, useLingui } from '@lingui/react/macro'
import type { IssueId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel, getSignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import type { RunOverviewData } from '../queries.ts'
import styles from './repeats-card.module.css'
import { type RepeatedFinding, type RepeatKind, type RunKey, repeatsQuery } from './queries.ts'

type RepeatsCardProps = { runKey: RunKey; pages: Pick<RunOverviewData['pages'], 'completed' | 'walled'> }

/** Findings on many pages of a run: the same issue, the same element or a shared component. */
export function RepeatsCard({ runKey, pages }: RepeatsCardProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatNumber } = useFormats()
  const [selectedKind, setSelectedKind] = useState<RepeatKind>('groups')
  const [pageIndex, setPageIndex] = useState(0)
  const repeatList = useQuery(repeatsQuery(apiClient, runKey, selectedKind, pageIndex))
  const repeatColumns = useRepeatColumns(runKey, selectedKind)
  // One line while no issue repeats; elements and components are rarely of interest then.
  const isFolded = useQuery(repeatsQuery(apiClient, runKey, 'groups', 0)).data?.page.totalElements === 0
  const kindLabels: Record<RepeatKind, string> = {
    groups: t`Issue groups`,
    selectors: t`Selectors`,
    components: t`Common components`,
  }
  const emptyTexts: Record<RepeatKind, string> = {
    groups: t`No single issue appears on several pages.`,
    selectors: t`No element has open issues.`,
    components: t`No common component has open issues.`,
  }
  const chooseKind = (newKind: RepeatKind) => {
    setSelectedKind(newKind)
    setPageIndex(0)
  }
  const pageInfo = repeatList.data?.page
  const pageCount = pageInfo?.totalPages ?? 0
  const [currentPageLabel, pageCountLabel] = [formatNumber(pageIndex + 1), formatNumber(pageCount)]
  const statusText =
    pages.completed === pages.walled ? t`No page was tested in this run.` : emptyTexts[isFolded ? 'groups' : selectedKind]
  const kindChoice = (
    <Segmented
      label={t`Recurring issues`}
      value={selectedKind}
      onChange={chooseKind}
      options={(Object.keys(kindLabels) as RepeatKind[]).map((value) => ({ value, label: kindLabels[value] }))}
    />
  )
  const isEmpty = pageInfo?.totalElements === 0
  const rows = (
    <>
      <QueryState query={repeatList} loadingLabel={t`Loading`} failureTitle={t`The list could not be loaded.`} lines={3} />
      {repeatList.data && !isEmpty && (
        <DataTable
          caption={kindLabels[selectedKind]}
          columns={repeatColumns}
          rows={repeatList.data.content}
          rowKey={(row) => row.key}
          isBusy={repeatList.isPlaceholderData}
        />
      )}
      {pageCount > 1 && (
        <div className={`${layout.row} ${layout.pad}`}>
          <Button small pending={pageIndex === 0} onPress={() => setPageIndex(pageIndex - 1)}>{t`Previous`}</Button>
          <Button small pending={pageIndex + 1 >= pageCount} onPress={() => setPageIndex(pageIndex + 1)}>{t`Next`}</Button>
          <span role="status" className={layout.sm}>{t`Page ${currentPageLabel} of ${pageCountLabel}`}</span>
        </div>
      )}
    </>
  )
  if (isFolded)
    return (
      <section className={layout.card} aria-labelledby="repeats">
        <details>
          <summary className={styles.summary}>
            <h2 id="repeats">{t`Recurring issues`}</h2> <span className={`${layout.muted} ${layout.sm}`}>{statusText}</span>
          </summary>
          <div className={styles.choice}>{kindChoice}</div>
          {isEmpty && selectedKind !== 'groups' && (
            <p className={`${layout.muted} ${styles.choice}`} role="status">
              {emptyTexts[selectedKind]}
            </p>
          )}
          {rows}
        </details>
      </section>
    )
  return (
    <section className={layout.card} aria-labelledby="repeats">
      <div className={`${layout.pad} ${layout.row}`}>
        <div className={layout.grow}>
          <h2 id="repeats">{t`Recurring issues`}</h2>
          <p className={`${layout.muted} ${layout.sm}`} role="status">
            {isEmpty ? statusText : t`Fix once, resolve everywhere`}
          </p>
        </div>
        {kindChoice}
      </div>
      {rows}
    </section>
  )
}

function useRepeatColumns({ scanId, run: runNumber }: RunKey, kind: RepeatKind): readonly Column<RepeatedFinding>[] {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const runSearch = { scanId: [scanId], run: runNumber }
  return [
    {
      key: 'what',
      heading: kind === 'selectors' ? t`Element` : t`Issue`,
      isRowHeading: true,
      renderCell: (row) => <RepeatName row={row} search={runSearch} />,
    },
    {
      key: 'severity',
      heading: t`Impact`,
      renderCell: ({ severity }) => <SignLabel sign={severity}>{t(getSignLabel(severity))}</SignLabel>,
    },
    { key: 'pages', heading: t`Pages`, isNumeric: true, renderCell: ({ pages }) => formatNumber(pages) },
    { key: 'issues', heading: t`Issues`, isNumeric: true, renderCell: ({ issues }) => formatNumber(issues) },
  ]
}

function RepeatName({ row: repeat, search }: { row: RepeatedFinding; search: { scanId: RunKey['scanId'][]; run: number } }) {
  const { t } = useLingui()
  const { rule, help, selector: elementSelector, component: componentName, issueId, rules, severity } = repeat
  return (
    <>
      {rule !== null && issueId !== null ? (
        <Link to="/issues" search={{ ...search, rule: [rule], issue: issueId as IssueId }}>
          <RuleTitle rule={rule} help={help ?? rule} isUndecided={severity === 'needs review'} />
        </Link>
      ) : (
        <Link to="/issues" search={{ ...search, q: elementSelector }}>
          <code translate="no">{elementSelector}</code>
        </Link>
      )}
      <p className={`${layout.muted} ${layout.sm} ${layout.break}`}>
        {componentName !== null && <span>{t`In the component “${componentName}”`} </span>}
        {rule === null ? (
          <Plural value={rules} one="# rule fails here" other="# rules fail here" />
        ) : (
          <code translate="no">{elementSelector}</code>
        )}
      </p>
    </>
  )
}
