import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { isActiveStatus } from '@clearway/contract/monitor/run/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useMutation } from '../../../kit/client/use-mutation.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy, useState } from 'react'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { createMenuEntry } from '../../../kit/menu/groups.ts'
import { MenuButton } from '../../../kit/menu/menu.tsx'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import { smallScreenQuery, useMediaQuery } from '../../../kit/page/use-media-query.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { useScanActions } from '../../scan/queries.ts'
import { shareQuery } from '../../scan/queries-share.ts'
import { useSession } from '../../user/model.ts'
import { recentRunsQuery } from '../queries.ts'

const DeleteScanDialog = lazy(() =>
  import('../../scan/parts/delete-dialog.tsx').then((module) => ({ default: module.DeleteScanDialog })),
)

const RunListDialog = lazy(() => import('../history/list-dialog.tsx').then((module) => ({ default: module.RunListDialog })))

const ShareDialog = lazy(() => import('../../scan/parts/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })))

/** Sends the summary of a run to the reporting product again and reports the result. */
function useUpdateReport(id: ScanId) {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError(t`The reports could not be updated.`)
  const { api: apiClient } = useSession()
  return useMutation({
    mutationFn: (run: number) => apiClient.updateReport({ params: { id, run } }),
    onSuccess: ({ success, message = '' }) =>
      success
        ? showToast('confirmation', t`The reports are up to date.`)
        : showToast('error', t`The reports could not be updated: ${message}`),
    onError: showError,
  })
}

/** Returns true if a run of the scan has completed; before that, there is nothing to report. */
const hasCompletedRun = (scan: ScanSummary): boolean => scan.openIssues !== null

/** The start or end of a run removes its button. If that had the focus, it moves to the title instead of being lost. */
const keepFocusOnRemoval = (button: HTMLButtonElement | null) => () => {
  if (button === document.activeElement) queueMicrotask(() => focusTitle({ preventScroll: true }))
}

export function RunActions({ scan, currentRun }: { scan: ScanSummary; currentRun: number | null }) {
  const { t } = useLingui()
  const navigateTo = useNavigate()
  const { startMutation, cancelMutation } = useScanActions()
  const showStartError = useShowError(t`Starting failed.`)
  const showCancelError = useShowError(t`Canceling failed.`)
  const isRunActive = scan.lastRun !== null && isActiveStatus(scan.lastRun.status)
  return (
    <>
      {currentRun !== null && <RunPicker scan={scan} currentRun={currentRun} />}
      {hasCompletedRun(scan) && currentRun !== null && !(isRunActive && currentRun === scan.lastRun?.number) && (
        <Link
          to="/scans/$scanId/$run/report"
          params={{ scanId: scan.id, run: currentRun }}
          className={getButtonClass()}
        >{t`Report`}</Link>
      )}
      <MoreActions scan={scan} currentRun={currentRun}>
        {scan.rights.run && isRunActive && (
          <Button
            ref={keepFocusOnRemoval}
            pending={cancelMutation.isPending}
            onPress={() => cancelMutation.mutate(scan.id, { onError: showCancelError })}
          >{t`Cancel run`}</Button>
        )}
        {scan.rights.run && !isRunActive && (
          <Button
            ref={keepFocusOnRemoval}
            kind="primary"
            icon="play"
            pending={startMutation.isPending}
            onPress={() =>
              startMutation.mutate(scan.id, {
                onError: showStartError,
                onSuccess: () => void navigateTo({ to: '/scans/$scanId', params: { scanId: scan.id } }),
              })
            }
          >{t`Start run`}</Button>
        )}
      </MoreActions>
    </>
  )
}

function RunPicker({ scan, currentRun }: { scan: ScanSummary; currentRun: number }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatDate } = useFormats()
  const navigateTo = useNavigate()
  const { data: runList } = useQuery(recentRunsQuery(apiClient, scan.id))
  const [isListOpen, setIsListOpen] = useState(false)
  const getRunName = (run: { number: number; queuedAt: string }) => t`Run ${run.number}, ${formatDate(run.queuedAt)}`
  const recentRuns = runList?.content ?? []
  const hasOlderRuns = runList !== undefined && runList.page.totalElements > recentRuns.length
  const selectedRun = [...recentRuns, scan.lastRun].find((run) => run?.number === currentRun)
  return (
    <>
      <MenuButton
        label={t`Choose a run`}
        button={{ iconEnd: 'down' }}
        groups={[
          {
            id: 'runs',
            selectedId: String(currentRun),
            entries: recentRuns.map((run) => ({
              id: String(run.number),
              text: getRunName(run),
              label: getRunName(run),
              onAction: () => void navigateTo({ to: '/scans/$scanId/$run', params: { scanId: scan.id, run: run.number } }),
            })),
          },
          ...(hasOlderRuns ? [{ id: 'older', entries: [createMenuEntry('all', t`All runs…`, () => setIsListOpen(true))] }] : []),
        ]}
      >
        {selectedRun ? getRunName(selectedRun) : t`Run ${currentRun}`}
      </MenuButton>
      {isListOpen && (
        <Suspense fallback={null}>
          <RunListDialog scanId={scan.id} currentRun={currentRun} onClose={() => setIsListOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

type MoreActionsProps = { scan: ScanSummary; currentRun: number | null; children: ReactNode }

/** The share button and the menu, with the main action between them. */
function MoreActions({ scan, currentRun, children }: MoreActionsProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const showFavoriteError = useShowError(t`The favorites could not be changed.`)
  const navigateTo = useNavigate()
  const { api: apiClient, config: appConfig, permissions } = useSession()
  const { favoriteMutation } = useScanActions()
  const reportMutation = useUpdateReport(scan.id)
  const [openDialog, setOpenDialog] = useState<'delete' | 'share' | null>(null)
  const isNarrow = useMediaQuery(smallScreenQuery)
  const openShareDialog = () => setOpenDialog('share')
  const shareState = useQuery({ ...shareQuery(apiClient, scan.id), enabled: scan.rights.manage }).data
  const isShared = shareState?.exists === true && !shareState.expired
  const shareText = isShared ? t`Shared publicly…` : t`Share publicly…`
  const menuEntries = [
    createMenuEntry('favorite', scan.favorite ? t`Remove from favorites` : t`Add to favorites`, () =>
      favoriteMutation.mutate({ id: scan.id, status: !scan.favorite }, { onError: showFavoriteError }),
    ),
    ...(currentRun !== null && currentRun > 1
      ? [
          createMenuEntry(
            'compare',
            t`Compare with another run`,
            () =>
              void navigateTo({
                to: '/scans/$scanId/$run/compare/$other',
                params: { scanId: scan.id, run: currentRun, other: currentRun - 1 },
              }),
          ),
        ]
      : []),
    ...(scan.rights.export
      ? [
          createMenuEntry(
            'branches',
            t`Results on branches`,
            () => void navigateTo({ to: '/scans/$scanId/branches', params: { scanId: scan.id } }),
          ),
        ]
      : []),
    ...(scan.rights.run && currentRun !== null && hasCompletedRun(scan) && appConfig.axeReportsUrl !== null
      ? [createMenuEntry('report', t`Update reports`, () => reportMutation.mutate(currentRun))]
      : []),
    ...(scan.rights.manage
      ? [
          ...(permissions.canCreateScans
            ? [
                createMenuEntry(
                  'duplicate',
                  t`Duplicate…`,
                  () => void navigateTo({ to: '/scans/new', search: { from: scan.id } }),
                ),
              ]
            : []),
          createMenuEntry('edit', t`Edit`, () => void navigateTo({ to: '/scans/$scanId/edit', params: { scanId: scan.id } })),
          ...(isNarrow && !isShared ? [createMenuEntry('share', shareText, openShareDialog)] : []),
          createMenuEntry('delete', t`Delete…`, () => setOpenDialog('delete'), true),
        ]
      : []),
  ]
  return (
    <>
      {scan.rights.manage && (!isNarrow || isShared) && (
        <Button {...(isShared && { icon: 'globe' })} onPress={openShareDialog}>
          {shareText}
        </Button>
      )}
      {children}
      <span data-square>
        <MenuButton
          label={t`Actions for ${scan.name}`}
          button={{ square: true, icon: 'more', label: t`Actions for ${scan.name}` }}
          groups={[{ id: 'actions', entries: menuEntries }]}
        />
      </span>
      {openDialog === 'share' && (
        <Suspense fallback={null}>
          <ShareDialog scan={scan} onClose={() => setOpenDialog(null)} />
        </Suspense>
      )}
      {openDialog === 'delete' && (
        <Suspense fallback={null}>
          <DeleteScanDialog
            scan={scan}
            onClose={() => setOpenDialog(null)}
            onDeleted={() => {
              showToast('confirmation', t`Scan deleted: ${scan.name}`)
              void navigateTo({ to: '/scans' })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
