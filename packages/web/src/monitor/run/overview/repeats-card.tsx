import { Plural, useLingui } from '@lingui/react/macro'
import type { IssueId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel, signWord } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import type { Repeat, RepeatKind, RunKey } from './queries.ts'
import { repeatsQuery } from './queries.ts'

/** What is on many pages of a run: the same fault, the same element, the parts that pages share. */
export function RepeatsCard({ runKey }: { runKey: RunKey }) {
  const { t } = useLingui()
  const { api } = useSession()
  const { formatNumber: number } = useFormats()
  const [kind, setKind] = useState<RepeatKind>('groups')
  const [page, setPage] = useState(0)
  const list = useQuery(repeatsQuery(api, runKey, kind, page))
  const columns = useColumns(runKey, kind)
  const names: Record<RepeatKind, string> = {
    groups: t`Issue groups`,
    selectors: t`Selectors`,
    components: t`Common components`,
  }
  const empty: Record<RepeatKind, string> = {
    groups: t`No issue appears on several pages.`,
    selectors: t`No element has open issues.`,
    components: t`No common component has open issues.`,
  }
  const choose = (next: RepeatKind) => {
    setKind(next)
    setPage(0)
  }
  const about = list.data?.page
  const pages = about?.totalPages ?? 0
  const [here, all] = [number(page + 1), number(pages)]
  return (
    <section className={layout.card} aria-labelledby="repeats">
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id="repeats">{t`Recurring issues`}</h2>
        <p className={`${layout.muted} ${layout.sm}`}>{t`Fix once, resolve everywhere`}</p>
        <div>
          <Segmented
            label={t`Recurring issues`}
            value={kind}
            onChange={choose}
            options={(Object.keys(names) as RepeatKind[]).map((value) => ({ value, label: names[value] }))}
          />
        </div>
      </div>
      <QueryState query={list} loadingLabel={t`Loading`} failureTitle={t`The list could not be loaded.`} lines={3} />
      {about?.totalElements === 0 && <p className={layout.pad}>{empty[kind]}</p>}
      {list.data && list.data.content.length > 0 && (
        <DataTable
          caption={names[kind]}
          columns={columns}
          rows={list.data.content}
          rowKey={(row) => row.key}
          isBusy={list.isPlaceholderData}
        />
      )}
      {pages > 1 && (
        <div className={`${layout.row} ${layout.pad}`}>
          <Button small pending={page === 0} onPress={() => setPage(page - 1)}>{t`Previous`}</Button>
          <Button small pending={page + 1 >= pages} onPress={() => setPage(page + 1)}>{t`Next`}</Button>
          <span role="status" className={layout.sm}>{t`Page ${here} of ${all}`}</span>
        </div>
      )}
    </section>
  )
}

function useColumns({ scanId, run }: RunKey, kind: RepeatKind): readonly Column<Repeat>[] {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const search = { scanId: [scanId], run }
  return [
    {
      key: 'what',
      heading: kind === 'selectors' ? t`Element` : t`Issue`,
      isRowHeading: true,
      renderCell: (row) => <What row={row} search={search} />,
    },
    {
      key: 'severity',
      heading: t`Impact`,
      renderCell: ({ severity }) => <SignLabel sign={severity}>{t(signWord(severity))}</SignLabel>,
    },
    { key: 'pages', heading: t`Pages`, isNumeric: true, renderCell: ({ pages }) => number(pages) },
    { key: 'issues', heading: t`Issues`, isNumeric: true, renderCell: ({ issues }) => number(issues) },
  ]
}

function What({ row, search }: { row: Repeat; search: { scanId: RunKey['scanId'][]; run: number } }) {
  const { t } = useLingui()
  const { rule, help, selector, component, issueId, rules } = row
  return (
    <>
      {rule !== null && issueId !== null ? (
        <Link to="/issues" search={{ ...search, rule: [rule], issue: issueId as IssueId }}>
          <RuleTitle rule={rule} help={help ?? rule} />
        </Link>
      ) : (
        <Link to="/issues" search={{ ...search, q: selector }}>
          <code translate="no">{selector}</code>
        </Link>
      )}
      <p className={`${layout.muted} ${layout.sm} ${layout.break}`}>
        {component !== null && <span>{t`In the component “${component}”`} </span>}
        {rule === null ? (
          <Plural value={rules} one="# rule fails here" other="# rules fail here" />
        ) : (
          <code translate="no">{selector}</code>
        )}
      </p>
    </>
  )
}
