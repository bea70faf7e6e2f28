import { useLingui } from '@lingui/react/macro'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { ReactNode } from 'react'
import { MenuButton } from '../../../kit/menu/menu.tsx'
import type { Download } from '../../../kit/client/use-download.ts'
import type { Selection } from '../../../kit/table/use-selection.ts'
import type { IssueSearch } from '../model.ts'
import { bulkBody } from '../queries.ts'

/** What issues can be exported as: the call, and how its file ends. */
const formats = {
  exportIssuesCsvBrief: 'csv',
  exportIssuesCsvDetailed: 'csv',
  exportIssuesXlsx: 'xlsx',
  exportIssuesJson: 'json',
  exportIssuesSarif: 'sarif',
  exportIssuesJunit: 'xml',
  exportIssuesEarl: 'jsonld',
} as const
type Format = keyof typeof formats

const today = () => new Date().toISOString().slice(0, 10)

type Props = { search: IssueSearch; selection: Selection; download: Download; children: ReactNode }

/** Exports what is selected, or all that the filters match. */
export function ExportMenu({ search, selection, download, children }: Props) {
  const { t } = useLingui()
  const names: Record<Format, string> = {
    exportIssuesCsvBrief: t`CSV, brief`,
    exportIssuesCsvDetailed: t`CSV, all columns`,
    exportIssuesXlsx: t`Excel`,
    exportIssuesJson: t`JSON`,
    exportIssuesSarif: t`SARIF, for code scanning`,
    exportIssuesJunit: t`JUnit, for build servers`,
    exportIssuesEarl: t`EARL, for evaluation reports`,
  }
  return (
    <MenuButton
      label={t`Export`}
      button={{ small: true, iconEnd: 'down' }}
      groups={[
        {
          id: 'formats',
          entries: (Object.keys(formats) as Format[]).map((format) => ({
            id: format,
            text: names[format],
            label: names[format],
            onAction: () =>
              download.start(
                monitorApi[format].path,
                bulkBody(search, selection),
                `issues-${today()}.${formats[format]}`,
              ),
          })),
        },
      ]}
    >
      {children}
    </MenuButton>
  )
}
