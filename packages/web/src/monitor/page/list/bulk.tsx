import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { ExportMenu } from '../../../kit/list/export-menu.tsx'
import { BulkBar } from '../../../kit/table/bulk-bar.tsx'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import type { Selection, SelectionState } from '../../../kit/table/use-selection.ts'
import type { PageSearch } from '../model.ts'
import { bulkBody, usePageActions } from '../queries.ts'

type ExportProps = { search: PageSearch; selection: Selection; download: DownloadState; children: ReactNode }

/** Exports what is selected, or all that the filters match. */
export function PageExport({ search, selection, download, children }: ExportProps) {
  const { t } = useLingui()
  return (
    <ExportMenu
      fileNamePrefix="pages"
      formats={{
        exportPagesCsv: { name: t`CSV`, extension: 'csv' },
        exportPagesXlsx: { name: t`Excel`, extension: 'xlsx' },
        exportPagesJson: { name: t`JSON`, extension: 'json' },
      }}
      onExport={(format, file) => download.start(monitorApi[format].path, bulkBody(search, selection), file)}
    >
      {children}
    </ExportMenu>
  )
}

type Props = { search: PageSearch; selected: SelectionState; total: number; download: DownloadState }

/** What can be done with many pages at once. */
export function PageBulk({ search, selected, total, download }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { remove } = usePageActions()
  const [deleting, setDeleting] = useState(false)
  const run = () => {
    setDeleting(false)
    remove.mutate(bulkBody(search, selected.selection), {
      onSuccess: ({ changed, skipped }) => {
        selected.clearSelection()
        const said = t`${plural(changed, { one: '# page deleted.', other: '# pages deleted.' })}`
        if (skipped === 0) toast('confirmation', said)
        else {
          const not = t`${plural(skipped, {
            one: '# was skipped: your role does not allow it, or its run is still going on.',
            other: '# were skipped: your role does not allow it, or their run is still going on.',
          })}`
          toast('caution', `${said} ${not}`)
        }
      },
      onError: (error) => {
        const why = t(getProblemMessage(error))
        toast('error', t`Page deletion failed! ${why}`)
      },
    })
  }
  return (
    <>
      <BulkBar selectionState={selected} total={total}>
        <Button small onPress={() => setDeleting(true)}>{t`Delete…`}</Button>
        <PageExport search={search} selection={selected.selection} download={download}>
          {t`Export selection`}
        </PageExport>
      </BulkBar>
      {deleting && (
        <DeletePagesDialog count={selected.countSelected(total)} onClose={() => setDeleting(false)} onDelete={run} />
      )}
    </>
  )
}

type DeleteProps = { count: number; onDelete: () => void; onClose: () => void }

/** Asks before pages are deleted, with their number. */
export function DeletePagesDialog({ count, onDelete, onClose }: DeleteProps) {
  const { t } = useLingui()
  return (
    <Dialog alert title={t`Delete pages`} onClose={onClose}>
      <p>
        <Plural
          value={count}
          one="This deletes # page from its run, with everything that was found on it."
          other="This deletes # pages from their runs, with everything that was found on them."
        />
      </p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind="danger" onPress={onDelete}>{t`Delete pages`}</Button>
      </DialogActions>
    </Dialog>
  )
}
