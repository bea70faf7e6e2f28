import { useLingui } from '@lingui/react/macro'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { ReactNode } from 'react'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import { ExportMenu } from '../../../kit/list/export-menu.tsx'
import type { Selection } from '../../../kit/table/use-selection.ts'
import type { IssueSearch } from '../model.ts'
import { bulkBody } from '../queries.ts'

type Props = { search: IssueSearch; selection: Selection; download: DownloadState; children: ReactNode }

/** Exports what is selected, or all that the filters match. */
export function IssueExport({ search, selection, download, children }: Props) {
  const { t } = useLingui()
  return (
    <ExportMenu
      file="issues"
      formats={{
        exportIssuesCsvBrief: { name: t`CSV, brief`, ending: 'csv' },
        exportIssuesCsvDetailed: { name: t`CSV, all columns`, ending: 'csv' },
        exportIssuesXlsx: { name: t`Excel`, ending: 'xlsx' },
        exportIssuesJson: { name: t`JSON`, ending: 'json' },
        exportIssuesSarif: { name: t`SARIF, for code scanning`, ending: 'sarif' },
        exportIssuesJunit: { name: t`JUnit, for build servers`, ending: 'xml' },
        exportIssuesEarl: { name: t`EARL, for evaluation reports`, ending: 'jsonld' },
      }}
      onExport={(format, file) => download.start(monitorApi[format].path, bulkBody(search, selection), file)}
    >
      {children}
    </ExportMenu>
  )
}
