import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { isActive } from '@clearway/contract/monitor/run/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { MenuButton } from '../../../kit/menu/menu.tsx'
import { smallScreenQuery, useMediaQuery } from '../../../kit/page/use-media.ts'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useScanActions } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { runListQuery } from '../queries.ts'

const DeleteScanDialog = lazy(() =>
  import('../../scan/parts/delete-dialog.tsx').then((m) => ({ default: m.DeleteScanDialog })),
)

const ShareDialog = lazy(() =>
  import('../../scan/parts/share-dialog.tsx').then((m) => ({ default: m.ShareDialog })),
)

/** Sends the summary of a run to the reporting product again, and says what came of it. */
function useUpdateReport(id: ScanId) {
  const { t } = useLingui()
  const toast = useToast()
  const { api } = useSession()
  return useMutation({
    mutationFn: (run: number) => api.updateReport({ params: { id, run } }),
    onSuccess: ({ success, message = '' }) =>
      success
        ? toast('confirmation', t`The reports are up to date.`)
        : toast('error', t`The reports could not be updated: ${message}`),
    onError: (error) => toast('error', t(getProblemMessage(error))),
  })
}

/** Whether a run was completed: before, there is nothing to report. */
const hasResult = (scan: ScanSummary): boolean => scan.openIssues !== null

/** Which run is shown, start and cancel, and what else can be done to the scan. */
export function RunActions({ scan, shown }: { scan: ScanSummary; shown: number | null }) {
  const { t } = useLingui()
  const toast = useToast()
  const navigate = useNavigate()
  const { start, cancel } = useScanActions()
  const onError = (error: unknown) => toast('error', t(getProblemMessage(error)))
  const active = scan.lastRun !== null && isActive(scan.lastRun.status)
  return (
    <>
      {shown !== null && <RunPicker scan={scan} shown={shown} />}
      {/* The report is about the newest results. */}
      {hasResult(scan) && shown === scan.lastRun?.number && (
        <Link to="/rollup" search={{ scanId: [scan.id] }} className={getButtonClass()}>{t`Report`}</Link>
      )}
      {scan.rights.run && active && (
        <Button
          icon="stop"
          pending={cancel.isPending}
          onPress={() => cancel.mutate(scan.id, { onError })}
        >{t`Cancel run`}</Button>
      )}
      {scan.rights.run && !active && (
        <Button
          kind="primary"
          icon="play"
          pending={start.isPending}
          onPress={() =>
            start.mutate(scan.id, {
              onError,
              onSuccess: () => void navigate({ to: '/scans/$scanId', params: { scanId: scan.id } }),
            })
          }
        >{t`Start run`}</Button>
      )}
      <MoreActions scan={scan} shown={shown} />
    </>
  )
}

function RunPicker({ scan, shown }: { scan: ScanSummary; shown: number }) {
  const { t } = useLingui()
  const { api } = useSession()
  const { formatDate: date } = useFormats()
  const navigate = useNavigate()
  const { data } = useQuery(runListQuery(api, scan.id))
  const name = (run: { number: number; queuedAt: string }) => t`Run ${run.number}, ${date(run.queuedAt)}`
  const runs = data?.content ?? []
  const current = [...runs, scan.lastRun].find((run) => run?.number === shown)
  return (
    <MenuButton
      label={t`Choose a run`}
      button={{ iconEnd: 'down' }}
      groups={[
        {
          id: 'runs',
          selectedId: String(shown),
          entries: runs.map((run) => ({
            id: String(run.number),
            text: name(run),
            label: name(run),
            onAction: () =>
              void navigate({ to: '/scans/$scanId/$run', params: { scanId: scan.id, run: run.number } }),
          })),
        },
      ]}
    >
      {current ? name(current) : t`Run ${shown}`}
    </MenuButton>
  )
}

function MoreActions({ scan, shown }: { scan: ScanSummary; shown: number | null }) {
  const { t } = useLingui()
  const toast = useToast()
  const navigate = useNavigate()
  const { config } = useSession()
  const { favorite } = useScanActions()
  const sendReport = useUpdateReport(scan.id)
  const [open, setOpen] = useState<'delete' | 'share' | null>(null)
  const narrow = useMediaQuery(smallScreenQuery)
  const share = () => setOpen('share')
  const entry = (id: string, text: string, onAction: () => void, danger = false) => ({
    id,
    text,
    label: text,
    onAction,
    danger,
  })
  const entries = [
    entry('favorite', scan.favorite ? t`Remove from favorites` : t`Add to favorites`, () =>
      favorite.mutate(
        { id: scan.id, status: !scan.favorite },
        { onError: (error) => toast('error', t(getProblemMessage(error))) },
      ),
    ),
    ...(shown !== null && shown > 1
      ? [
          entry(
            'compare',
            t`Compare with another run`,
            () =>
              void navigate({
                to: '/scans/$scanId/$run/compare/$other',
                params: { scanId: scan.id, run: shown, other: shown - 1 },
              }),
          ),
        ]
      : []),
    ...(scan.rights.run && shown !== null && hasResult(scan) && config.axeReportsUrl !== null
      ? [entry('report', t`Update reports`, () => sendReport.mutate(shown))]
      : []),
    ...(scan.rights.manage
      ? [
          entry(
            'edit',
            t`Edit`,
            () => void navigate({ to: '/scans/$scanId/edit', params: { scanId: scan.id } }),
          ),
          ...(narrow ? [entry('share', t`Share publicly…`, share)] : []),
          entry('delete', t`Delete…`, () => setOpen('delete'), true),
        ]
      : []),
  ]
  return (
    <>
      {scan.rights.manage && !narrow && <Button onPress={share}>{t`Share publicly…`}</Button>}
      <span data-square>
        <MenuButton
          label={t`Actions for ${scan.name}`}
          button={{ square: true, icon: 'more', label: t`Actions for ${scan.name}` }}
          groups={[{ id: 'actions', entries }]}
        />
      </span>
      {open === 'share' && (
        <Suspense fallback={null}>
          <ShareDialog scan={scan} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'delete' && (
        <Suspense fallback={null}>
          <DeleteScanDialog
            scan={scan}
            onClose={() => setOpen(null)}
            onDeleted={() => {
              toast('confirmation', t`Scan deleted: ${scan.name}`)
              void navigate({ to: '/scans' })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
