import { useLingui } from '@lingui/react/macro'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { ReactNode } from 'react'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import { ExportMenu } from '../../../kit/list/export-menu.tsx'
import type { Selection } from '../../../kit/table/use-selection.ts'
import type { IssueSearch } from '../model.ts'
import { buildBulkBody } from '../queries.ts'

type IssueExportProps = {
  search: IssueSearch
  selection: Selection
  download: DownloadState
  small?: boolean
  children: ReactNode
}

export function IssueExport({ search, selection, download, small = false, children }: IssueExportProps) {
  const { t } = useLingui()
  return (
    <ExportMenu
      small={small}
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
      onExport={(format, file) => download.start(monitorApi[format].path, buildBulkBody(search, selection), file)}
    >
      {children}
    </ExportMenu>
  )
}
