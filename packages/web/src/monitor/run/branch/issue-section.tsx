import { useLingui } from '@lingui/react/macro'
import { toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import type { BranchIssue } from '@clearway/contract/monitor/run/branch/schema.ts'
import type { ReactNode } from 'react'
import layout from '../../../kit/page/layout.module.css'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { CutNotice } from './list-sections.tsx'

type IssueSectionProps = {
  id: string
  title: string
  /** Meaning of these issues for the result. */
  children: ReactNode
  issues: readonly BranchIssue[]
  /** Number of all issues; the list has the first of them. */
  totalCount: number
}

export function BranchIssueSection({ id, title, children, issues, totalCount }: IssueSectionProps) {
  const issueColumns = useIssueColumns()
  if (issues.length === 0) return null
  return (
    <section className={layout.card} aria-labelledby={id}>
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id={id}>{title}</h2>
        <p className={layout.muted}>{children}</p>
        <CutNotice listedCount={issues.length} totalCount={totalCount} />
      </div>
      <DataTable caption={title} columns={issueColumns} rows={issues} rowKey={(issue) => String(issues.indexOf(issue))} />
    </section>
  )
}

function useIssueColumns(): readonly Column<BranchIssue>[] {
  const { t } = useLingui()
  return [
    { key: 'severity', heading: t`Impact`, renderCell: ({ severity }) => <SignLabel sign={severity} /> },
    {
      key: 'rule',
      heading: t`Rule`,
      isRowHeading: true,
      renderCell: ({ rule, help, severity }) => <RuleTitle rule={rule} help={help} isUndecided={severity === 'needs review'} />,
    },
    {
      key: 'page',
      heading: t`Page`,
      renderCell: ({ url }) => (
        <span translate="no" className={layout.break}>
          {toReadableUrl(url)}
        </span>
      ),
    },
    {
      key: 'element',
      heading: t`Element`,
      renderCell: ({ selector, html }) => (
        <>
          <code translate="no" className={layout.break}>
            {html || selector}
          </code>
          {html !== '' && (
            <div translate="no" className={`${layout.muted} ${layout.sm} ${layout.break}`}>
              {selector}
            </div>
          )}
        </>
      ),
    },
    {
      key: 'fix',
      heading: t`How to fix`,
      renderCell: ({ fix }) => (
        <span lang="en" className={layout.break}>
          {fix}
        </span>
      ),
    },
  ]
}
