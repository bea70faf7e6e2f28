import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { isActiveStatus, type RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { Button } from '../../../kit/control/button.tsx'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { QueryState, UnknownValue } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { runPageQuery } from '../queries.ts'
import { ScoreSoFar } from '../parts/score-so-far.tsx'
import { RunState } from '../parts/state.tsx'

type RunListDialogProps = { scanId: ScanId; currentRun: number; onClose: () => void }

/** All runs of a scan, to open or to compare with the current one. */
export function RunListDialog({ scanId, currentRun, onClose }: RunListDialogProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatNumber } = useFormats()
  const [pageIndex, setPageIndex] = useState(0)
  const runPage = useQuery(runPageQuery(apiClient, scanId, pageIndex))
  const runColumns = useRunColumns({ scanId, currentRun, onClose })
  const pageCount = Math.max(1, runPage.data?.page.totalPages ?? 1)
  const [currentPageLabel, pageCountLabel] = [formatNumber(pageIndex + 1), formatNumber(pageCount)]
  return (
    <Dialog title={t`All runs`} onClose={onClose}>
      <QueryState query={runPage} loadingLabel={t`Loading`} failureTitle={t`The runs could not be loaded.`} lines={4} />
      {runPage.data && (
        <DataTable
          caption={t`All runs`}
          columns={runColumns}
          rows={runPage.data.content}
          rowKey={({ id }) => id}
          isBusy={runPage.isPlaceholderData}
        />
      )}
      {pageCount > 1 && (
        <div className={layout.row}>
          <Button small pending={pageIndex === 0} onPress={() => setPageIndex(pageIndex - 1)}>{t`Previous`}</Button>
          <Button small pending={pageIndex + 1 >= pageCount} onPress={() => setPageIndex(pageIndex + 1)}>{t`Next`}</Button>
          <span role="status" className={layout.sm}>{t`Page ${currentPageLabel} of ${pageCountLabel}`}</span>
        </div>
      )}
      <DialogActions>
        <Button onPress={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  )
}

function useRunColumns({ scanId, currentRun, onClose }: RunListDialogProps): Column<RunSummary>[] {
  const { t } = useLingui()
  const { formatNumber, formatDateTime } = useFormats()
  return [
    {
      key: 'run',
      heading: t`Run`,
      isRowHeading: true,
      renderCell: (run) => (
        <Link
          to="/scans/$scanId/$run"
          params={{ scanId, run: run.number }}
          aria-current={run.number === currentRun ? 'true' : undefined}
          onClick={onClose}
        >
          {t`Run ${run.number}`}
        </Link>
      ),
    },
    { key: 'when', heading: t`Date`, renderCell: (run) => formatDateTime(run.endedAt ?? run.queuedAt) },
    { key: 'state', heading: t`State`, renderCell: (run) => <RunState run={run} /> },
    {
      key: 'score',
      heading: t`Score`,
      isNumeric: true,
      renderCell: (run) =>
        isActiveStatus(run.status) ? (
          <ScoreSoFar run={run} />
        ) : run.score === null ? (
          <UnknownValue label={t`No score`} />
        ) : (
          toScorePoints(run.score)
        ),
    },
    {
      key: 'critical',
      heading: t`Critical`,
      isNumeric: true,
      renderCell: (run) => formatNumber(run.openIssues.critical),
    },
    {
      key: 'limit',
      heading: t`Limit reached`,
      renderCell: ({ pages, endedAt }) =>
        endedAt && pages.overLimit > 0 ? (
          <Plural value={pages.overLimit} one="# known URL not tested" other="# known URLs not tested" />
        ) : (
          '–'
        ),
    },
    {
      key: 'report',
      heading: t`Report`,
      isHeadingHidden: true,
      renderCell: (run) =>
        run.score === null ? null : (
          <Link to="/scans/$scanId/$run/report" params={{ scanId, run: run.number }} onClick={onClose}>
            {t`Report of run ${run.number}`}
          </Link>
        ),
    },
    {
      key: 'compare',
      heading: t`Compare`,
      isHeadingHidden: true,
      renderCell: (run) =>
        run.number === currentRun ? null : (
          <Link to="/scans/$scanId/$run/compare/$other" params={{ scanId, run: currentRun, other: run.number }} onClick={onClose}>
            {t`Compare with run ${run.number}`}
          </Link>
        ),
    },
  ]
}
