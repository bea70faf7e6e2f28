import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { RegisteredIgnore } from '@clearway/contract/monitor/issue/ignore/schema.ts'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { createMenuEntry } from '../../../kit/menu/groups.ts'
import { RowMenu } from '../../../kit/menu/row-menu.tsx'
import layout from '../../../kit/page/layout.module.css'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { UrlText } from '../../../kit/text/url-text.tsx'
import { shortenUrl } from '../../scan/model.ts'
import { useRuleTitle } from '../../ruleset/queries-texts.ts'
import { toLastDay } from '../model-register.ts'
import { ignoreScopeLabels } from '../panel/ignore-dialog.tsx'
import styles from './table.module.css'
import { ChangeDecisionDialog, EndDecisionDialog } from './dialogs.tsx'

type RegisterTableProps = {
  rows: readonly RegisteredIgnore[]
  sort: string
  isBusy: boolean
  onSort: (sort: string) => void
}
type OpenDialog = { kind: 'change' | 'end'; decision: RegisteredIgnore }

export function RegisterTable(tableProps: RegisterTableProps) {
  const { t } = useLingui()
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const registerColumns = useRegisterColumns(setOpenDialog)
  const closeDialog = () => setOpenDialog(null)
  return (
    <>
      <DataTable caption={t`Ignored issues`} columns={registerColumns} rowKey={({ id }) => id} {...tableProps} />
      {openDialog?.kind === 'change' && <ChangeDecisionDialog decision={openDialog.decision} onClose={closeDialog} />}
      {openDialog?.kind === 'end' && <EndDecisionDialog decision={openDialog.decision} onClose={closeDialog} />}
    </>
  )
}

function useRegisterColumns(openDialog: (dialog: OpenDialog) => void): readonly Column<RegisteredIgnore>[] {
  const { t } = useLingui()
  const { formatDate } = useFormats()
  return useMemo(
    () => [
      {
        key: 'what',
        heading: t`Issues`,
        sortField: 'issues',
        firstDirection: 'desc',
        isRowHeading: true,
        renderCell: (decision) => <DecisionName decision={decision} />,
      },
      {
        key: 'scan',
        heading: t`Scan`,
        sortField: 'scan',
        isSelfExplaining: true,
        renderCell: ({ scanName }) => <span className={styles.scan}>{scanName}</span>,
      },
      {
        key: 'reason',
        heading: t`Reason`,
        isSelfExplaining: true,
        renderCell: ({ reason }) =>
          reason === '' ? <span className={layout.muted}>{t`No reason`}</span> : <span className={styles.reason}>{reason}</span>,
      },
      {
        key: 'author',
        heading: t`Ignored by`,
        isSelfExplaining: true,
        renderCell: ({ author }) => author.name ?? t`Former member`,
      },
      {
        key: 'createdAt',
        heading: t`Date`,
        sortField: 'createdAt',
        firstDirection: 'desc',
        isSelfExplaining: true,
        renderCell: ({ createdAt }) => (
          <time className={layout.nowrap} dateTime={createdAt}>
            {formatDate(createdAt)}
          </time>
        ),
      },
      {
        key: 'until',
        heading: t`Until`,
        sortField: 'until',
        isOptional: true,
        renderCell: ({ until }) => <DecisionEnd until={until} />,
      },
      {
        key: 'actions',
        heading: t`Actions`,
        isHeadingHidden: true,
        isNumeric: true,
        renderCell: (decision) => <DecisionActions decision={decision} openDialog={openDialog} />,
      },
    ],
    [t, formatDate, openDialog],
  )
}

/** Returns the name of a decision: its rules. */
function useDecisionName({ rules }: RegisteredIgnore): string {
  const { i18n } = useLingui()
  const { formatList } = useFormats()
  const getRuleTitle = useRuleTitle(i18n.locale)
  return formatList(rules.map((rule) => getRuleTitle(rule, rule)))
}

function DecisionName({ decision }: { decision: RegisteredIgnore }) {
  const { t } = useLingui()
  const decisionName = useDecisionName(decision)
  const { issues: issueCount, presentIssues: presentCount, scope, pageUrl } = decision
  // A decision about an issue on a page is about one.
  const facts = [
    (issueCount !== 1 || pageUrl === null) && t`${plural(issueCount, { one: '# issue', other: '# issues' })}`,
    presentCount < issueCount && (presentCount === 0 ? t`not in the last run` : t`${presentCount} in the last run`),
    scope !== 'issue' && t(ignoreScopeLabels[scope]),
  ].filter(Boolean)
  return (
    <>
      <Link
        className={`${styles.name} ${layout.break}`}
        to="/issues"
        search={{
          scanId: [decision.scanId],
          status: ['ignored'],
          ignore: [decision.id],
          grouped: false,
          ...(decision.issueId !== null && { issue: decision.issueId }),
        }}
      >
        {decisionName}
      </Link>
      <div className={`${layout.muted} ${layout.sm}`}>
        {decision.pageUrl !== null && (
          <span className={layout.break}>
            <UrlText url={shortenUrl(decision.pageUrl)} />
          </span>
        )}
        {decision.pageUrl !== null && facts.length > 0 && ' · '}
        {facts.join(' · ')}
      </div>
    </>
  )
}

const dayMs = 86_400_000
/** Number of remaining days from which an end is near. */
const nearEndDays = 14

function DecisionEnd({ until }: { until: string | null }) {
  const { t } = useLingui()
  const { formatDay } = useFormats()
  const [openedAt] = useState(Date.now)
  if (until === null) return <span className={layout.muted}>{t`No end`}</span>
  const lastDay = toLastDay(until)
  const remainingDays = Math.max(0, Math.floor((Date.parse(until) - openedAt) / dayMs))
  return (
    <>
      <time className={layout.nowrap} dateTime={lastDay}>
        {formatDay(lastDay)}
      </time>
      {remainingDays <= nearEndDays && (
        <div className={`${layout.muted} ${layout.sm}`}>
          {remainingDays === 0 ? t`Ends today` : t`${plural(remainingDays, { one: 'In # day', other: 'In # days' })}`}
        </div>
      )}
    </>
  )
}

function DecisionActions({ decision, openDialog }: { decision: RegisteredIgnore; openDialog: (dialog: OpenDialog) => void }) {
  const { t } = useLingui()
  const decisionName = useDecisionName(decision)
  return (
    <RowMenu
      name={decisionName}
      entries={[
        createMenuEntry('change', t`Change…`, () => openDialog({ kind: 'change', decision })),
        createMenuEntry('end', t`Stop ignoring…`, () => openDialog({ kind: 'end', decision })),
      ]}
    />
  )
}
