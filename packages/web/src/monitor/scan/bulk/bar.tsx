import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Suspense, lazy, useState } from 'react'
import { BulkBar } from '../../../kit/table/bulk-bar.tsx'
import { Button } from '../../../kit/control/button.tsx'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { withDeferredTexts } from '../../../kit/text/later-texts.ts'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useDownload } from '../../../kit/client/use-download.ts'
import type { SelectionState } from '../../../kit/table/use-selection.ts'
import { useSession } from '../../user/model.ts'
import type { ScanSearch } from '../model.ts'
import { exportScans, selectedScans, useBulkScans } from './queries.ts'

const BulkDialog = lazy(() =>
  withDeferredTexts(import('./dialog.tsx')).then((m) => ({ default: m.ScanBulkDialog })),
)

type Props = { search: ScanSearch; selected: SelectionState; total: number }

/** What can be done with the ticked scans. */
export function ScanBulk({ search, selected, total }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { deps } = useSession()
  const { favorite, start } = useBulkScans()
  const download = useDownload(deps)
  const [open, setOpen] = useState<'scripts' | 'preset' | 'tags' | 'delete' | null>(null)
  const body = selectedScans(search, selected.selection)
  const mark = (on: boolean) =>
    favorite.mutate(
      { selected: body, favorite: on },
      {
        onError: (error) => toast('error', t(getProblemMessage(error))),
        onSuccess: ({ changed }) => {
          const scans = plural(changed, { one: '# scan', other: '# scans' })
          toast('confirmation', on ? t`Added to favorites: ${scans}` : t`Removed from favorites: ${scans}`)
        },
      },
    )
  const begin = () =>
    start.mutate(body, {
      onError: (error) => toast('error', t(getProblemMessage(error))),
      onSuccess: ({ changed, skipped, active, overQuota }) => {
        const words = [
          t`${plural(changed, { one: 'Run of # scan started.', other: 'Runs of # scans started.' })}`,
          ...(active > 0
            ? [t`${plural(active, { one: '# was running already.', other: '# were running already.' })}`]
            : []),
          ...(overQuota > 0 ? [t`Not started, because of your quota: ${overQuota}.`] : []),
          ...(skipped > 0
            ? [
                t`${plural(skipped, { one: '# was skipped: your role does not allow it.', other: '# were skipped: your role does not allow it.' })}`,
              ]
            : []),
        ]
        toast(changed > 0 && skipped + active + overQuota === 0 ? 'confirmation' : 'caution', words.join(' '))
        if (changed > 0) selected.clearSelection()
      },
    })
  return (
    <>
      <DownloadStatus download={download} />
      <BulkBar selectionState={selected} total={total}>
        <Button small icon="play" pending={start.isPending} onPress={begin}>
          {t`Start runs`}
        </Button>
        <Button small onPress={() => setOpen('tags')}>{t`Tags…`}</Button>
        <Button small pending={favorite.isPending} onPress={() => mark(true)}>
          {t`Add to favorites`}
        </Button>
        <Button small pending={favorite.isPending} onPress={() => mark(false)}>
          {t`Remove from favorites`}
        </Button>
        <Button small onPress={() => setOpen('scripts')}>{t`Apply scripts…`}</Button>
        <Button small onPress={() => setOpen('preset')}>{t`Assign preset…`}</Button>
        <Button small onPress={() => exportScans(download, body)}>{t`Export as CSV`}</Button>
        <Button small kind="danger" onPress={() => setOpen('delete')}>{t`Delete…`}</Button>
      </BulkBar>
      {open && (
        <Suspense fallback={null}>
          <BulkDialog kind={open} body={body} onClose={() => setOpen(null)} onDone={selected.clearSelection} />
        </Suspense>
      )}
    </>
  )
}
