import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { type ReactNode, useState } from 'react'
import { ExportMenu } from '../../../kit/list/export-menu.tsx'
import { BulkBar } from '../../../kit/table/bulk-bar.tsx'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import type { Selection, SelectionState } from '../../../kit/table/use-selection.ts'
import type { PageSearch } from '../model.ts'
import { buildBulkBody, usePageActions } from '../queries.ts'

type PageExportProps = { search: PageSearch; selection: Selection; download: DownloadState; small?: boolean; children: ReactNode }

export function PageExport({ search, selection, download, small = false, children }: PageExportProps) {
  const { t } = useLingui()
  return (
    <ExportMenu
      small={small}
      fileNamePrefix="pages"
      formats={{
        exportPagesCsv: { name: t`CSV`, extension: 'csv' },
        exportPagesXlsx: { name: t`Excel`, extension: 'xlsx' },
        exportPagesJson: { name: t`JSON`, extension: 'json' },
      }}
      onExport={(format, file) => download.start(monitorApi[format].path, buildBulkBody(search, selection), file)}
    >
      {children}
    </ExportMenu>
  )
}

type PageBulkProps = { search: PageSearch; selectionState: SelectionState; totalCount: number; exportDownload: DownloadState }

export function PageBulk({ search, selectionState, totalCount, exportDownload }: PageBulkProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const { deleteMutation } = usePageActions()
  const [isDeleteOpen, setIsDeleteOpen] = useState(false)
  const deleteSelected = () => {
    setIsDeleteOpen(false)
    deleteMutation.mutate(buildBulkBody(search, selectionState.selection, totalCount), {
      onSuccess: ({ changed, skipped }) => {
        selectionState.clearSelection()
        const deletedText = t`${plural(changed, { one: '# page deleted.', other: '# pages deleted.' })}`
        if (skipped === 0) showToast('confirmation', deletedText)
        else {
          const skippedText = t`${plural(skipped, {
            one: '# was skipped: your role does not allow it, or its run is still going on.',
            other: '# were skipped: your role does not allow it, or their run is still going on.',
          })}`
          showToast('caution', `${deletedText} ${skippedText}`)
        }
      },
      onError: (error) => {
        const errorMessage = t(getProblemMessage(error))
        showToast('error', t`Page deletion failed! ${errorMessage}`, { error })
      },
    })
  }
  return (
    <>
      <BulkBar selectionState={selectionState} total={totalCount}>
        <Button small onPress={() => setIsDeleteOpen(true)}>{t`Delete…`}</Button>
        <PageExport small search={search} selection={selectionState.selection} download={exportDownload}>
          {t`Export selection`}
        </PageExport>
      </BulkBar>
      {isDeleteOpen && (
        <DeletePagesDialog
          count={selectionState.countSelected(totalCount)}
          onClose={() => setIsDeleteOpen(false)}
          onDelete={deleteSelected}
        />
      )}
    </>
  )
}

type DeletePagesDialogProps = { count: number; onDelete: () => void; onClose: () => void }

export function DeletePagesDialog({ count, onDelete, onClose }: DeletePagesDialogProps) {
  const { t } = useLingui()
  return (
    <Dialog alert title={t`Delete pages`} onClose={onClose}>
      <p>
        <Plural
          value={count}
          one="This deletes # page from its run, with everything that was found on it."
          other="This deletes # pages from their runs, with everything that was found on them."
        />{' '}
        {t`Other URLs of a page are deleted with it.`} {t`It cannot be undone.`}
      </p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind="danger" onPress={onDelete}>{t`Delete pages`}</Button>
      </DialogActions>
    </Dialog>
  )
}
