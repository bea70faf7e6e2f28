import { useLingui } from '@lingui/react/macro'
import type { BranchRun } from '@clearway/contract/monitor/run/branch/schema.ts'
import layout from '../../../kit/page/layout.module.css'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'

/** States that a list has the first entries only; nothing for a whole list. */
export function CutNotice({ listedCount, totalCount }: { listedCount: number; totalCount: number }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const [listedText, totalText] = [formatNumber(listedCount), formatNumber(totalCount)]
  if (totalCount <= listedCount) return null
  return <p className={layout.muted}>{t`Only the first ${listedText} of ${totalText} are listed.`}</p>
}

export function UncheckedSection({ unchecked, totalCount }: Pick<BranchRun, 'unchecked'> & { totalCount: number }) {
  const { t } = useLingui()
  if (unchecked.length === 0) return null
  const columns: readonly Column<BranchRun['unchecked'][number]>[] = [
    {
      key: 'target',
      heading: t`Page`,
      isRowHeading: true,
      renderCell: ({ target }) => (
        <span translate="no" className={layout.break}>
          {target}
        </span>
      ),
    },
    {
      key: 'reason',
      heading: t`Reason`,
      renderCell: ({ reason, detail }) => (
        <span lang="en" className={layout.break}>
          {detail || reason}
        </span>
      ),
    },
  ]
  return (
    <section className={layout.card} aria-labelledby="unchecked">
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id="unchecked">{t`Pages without a result`}</h2>
        <CutNotice listedCount={unchecked.length} totalCount={totalCount} />
      </div>
      <DataTable caption={t`Pages without a result`} columns={columns} rows={unchecked} rowKey={({ target }) => target} />
    </section>
  )
}

type CountSectionProps = {
  id: string
  title: string
  counts: BranchRun['fixed']
  totalCount: number
}

/** Numbers of issues by page and rule. */
export function CountSection({ id, title, counts, totalCount }: CountSectionProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  if (counts.length === 0) return null
  const columns: readonly Column<BranchRun['fixed'][number]>[] = [
    {
      key: 'page',
      heading: t`Page`,
      isRowHeading: true,
      renderCell: ({ page }) => (
        <span translate="no" className={layout.break}>
          {page}
        </span>
      ),
    },
    { key: 'rule', heading: t`Rule`, renderCell: ({ rule }) => <code translate="no">{rule}</code> },
    { key: 'issues', heading: t`Issues`, isNumeric: true, renderCell: ({ issues }) => formatNumber(issues) },
  ]
  return (
    <section className={layout.card} aria-labelledby={id}>
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id={id}>{title}</h2>
        <CutNotice listedCount={counts.reduce((sum, { issues }) => sum + issues, 0)} totalCount={totalCount} />
      </div>
      <DataTable caption={title} columns={columns} rows={counts} rowKey={({ page, rule }) => `${page} ${rule}`} />
    </section>
  )
}
