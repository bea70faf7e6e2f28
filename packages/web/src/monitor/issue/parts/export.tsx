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
      fileNamePrefix="issues"
      formats={{
        exportIssuesCsvBrief: { name: t`CSV, brief`, extension: 'csv' },
        exportIssuesCsvDetailed: { name: t`CSV, all columns`, extension: 'csv' },
        exportIssuesXlsx: { name: t`Excel`, extension: 'xlsx' },
        exportIssuesJson: { name: t`JSON`, extension: 'json' },
        exportIssuesSarif: { name: t`SARIF, for code scanning`, extension: 'sarif' },
        exportIssuesJunit: { name: t`JUnit, for build servers`, extension: 'xml' },
        exportIssuesEarl: { name: t`EARL, for evaluation reports`, extension: 'jsonld' },
      }}
      onExport={(format, file) => download.start(monitorApi[format].path, bulkBody(search, selection), file)}
    >
      {children}
    </ExportMenu>
  )
}
