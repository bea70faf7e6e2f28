import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Suspense, lazy, useState } from 'react'
import { BulkBar } from '../../../kit/table/bulk-bar.tsx'
import { Button } from '../../../kit/control/button.tsx'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { withDeferredTexts } from '../../../kit/text/deferred-texts.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { useDownload } from '../../../kit/client/use-download.ts'
import type { SelectionState } from '../../../kit/table/use-selection.ts'
import { useSession } from '../../user/model.ts'
import type { ScanSearch } from '../model.ts'
import { exportScans, toSelectionBody } from '../list/selection.ts'
import { useBulkScans } from './queries.ts'

const BulkDialog = lazy(() => withDeferredTexts(import('./dialog.tsx')).then((module) => ({ default: module.ScanBulkDialog })))

type ScanBulkProps = { search: ScanSearch; selectionState: SelectionState; totalCount: number }

export function ScanBulk({ search, selectionState, totalCount }: ScanBulkProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const showFavoriteError = useShowError(t`The favorites could not be changed.`)
  const showStartError = useShowError(t`Starting failed.`)
  const { deps } = useSession()
  const { favoriteMutation, startMutation } = useBulkScans()
  const exportDownload = useDownload(deps)
  const [openDialog, setOpenDialog] = useState<'scripts' | 'preset' | 'tags' | 'delete' | null>(null)
  const selectionBody = toSelectionBody(search, selectionState.selection, totalCount)
  const markFavorite = (isFavorite: boolean) =>
    favoriteMutation.mutate(
      { selected: selectionBody, favorite: isFavorite },
      {
        onError: showFavoriteError,
        onSuccess: ({ changed }) => {
          const scanCountText = plural(changed, { one: '# scan', other: '# scans' })
          showToast(
            'confirmation',
            isFavorite ? t`Added to favorites: ${scanCountText}` : t`Removed from favorites: ${scanCountText}`,
          )
        },
      },
    )
  const startRuns = () =>
    startMutation.mutate(selectionBody, {
      onError: showStartError,
      onSuccess: ({ changed, skipped, active, overQuota }) => {
        const resultSentences = [
          t`${plural(changed, { one: 'Run of # scan started.', other: 'Runs of # scans started.' })}`,
          ...(active > 0 ? [t`${plural(active, { one: '# was running already.', other: '# were running already.' })}`] : []),
          ...(overQuota > 0 ? [t`Not started, because of your quota: ${overQuota}.`] : []),
          ...(skipped > 0
            ? [
                t`${plural(skipped, { one: '# was skipped: your role does not allow it.', other: '# were skipped: your role does not allow it.' })}`,
              ]
            : []),
        ]
        showToast(changed > 0 && skipped + active + overQuota === 0 ? 'confirmation' : 'caution', resultSentences.join(' '))
        if (changed > 0) selectionState.clearSelection()
      },
    })
  return (
    <>
      <DownloadStatus download={exportDownload} />
      <BulkBar selectionState={selectionState} total={totalCount}>
        <Button small icon="play" pending={startMutation.isPending} onPress={startRuns}>
          {t`Start runs`}
        </Button>
        <Button small onPress={() => setOpenDialog('tags')}>{t`Tags…`}</Button>
        <Button small pending={favoriteMutation.isPending} onPress={() => markFavorite(true)}>
          {t`Add to favorites`}
        </Button>
        <Button small pending={favoriteMutation.isPending} onPress={() => markFavorite(false)}>
          {t`Remove from favorites`}
        </Button>
        <Button small onPress={() => setOpenDialog('scripts')}>{t`Apply scripts…`}</Button>
        <Button small onPress={() => setOpenDialog('preset')}>{t`Assign preset…`}</Button>
        <Button small onPress={() => exportScans(exportDownload, selectionBody)}>{t`Export as CSV`}</Button>
        <Button small kind="danger" onPress={() => setOpenDialog('delete')}>{t`Delete…`}</Button>
      </BulkBar>
      {openDialog && (
        <Suspense fallback={null}>
          <BulkDialog
            kind={openDialog}
            body={selectionBody}
            onClose={() => setOpenDialog(null)}
            onDone={selectionState.clearSelection}
          />
        </Suspense>
      )}
    </>
  )
}
