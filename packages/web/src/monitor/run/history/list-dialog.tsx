import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { toScorePoints, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { QueryState, UnknownValue } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { runPageQuery } from '../queries.ts'
import { RunState } from '../parts/state.tsx'

type Props = { scanId: ScanId; shown: number; onClose: () => void }

/** Every run of a scan, to look at or to compare with the one that is shown. */
export function RunListDialog({ scanId, shown, onClose }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const { formatNumber: number } = useFormats()
  const [page, setPage] = useState(0)
  const runs = useQuery(runPageQuery(api, scanId, page))
  const columns = useColumns({ scanId, shown, onClose })
  const pages = Math.max(1, runs.data?.page.totalPages ?? 1)
  const [here, all] = [number(page + 1), number(pages)]
  return (
    <Dialog title={t`All runs`} onClose={onClose}>
      <QueryState query={runs} loadingLabel={t`Loading`} failureTitle={t`The runs could not be loaded.`} lines={4} />
      {runs.data && (
        <DataTable
          caption={t`All runs`}
          columns={columns}
          rows={runs.data.content}
          rowKey={({ id }) => id}
          isBusy={runs.isPlaceholderData}
        />
      )}
      {pages > 1 && (
        <div className={layout.row}>
          <Button small pending={page === 0} onPress={() => setPage(page - 1)}>{t`Previous`}</Button>
          <Button small pending={page + 1 >= pages} onPress={() => setPage(page + 1)}>{t`Next`}</Button>
          <span role="status" className={layout.sm}>{t`Page ${here} of ${all}`}</span>
        </div>
      )}
      <DialogActions>
        <Button onPress={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  )
}

function useColumns({ scanId, shown, onClose }: Props): Column<RunSummary>[] {
  const { t } = useLingui()
  const { formatNumber: number, formatDateTime: dateTime } = useFormats()
  return [
    {
      key: 'run',
      heading: t`Run`,
      isRowHeading: true,
      renderCell: (run) => (
        <Link
          to="/scans/$scanId/$run"
          params={{ scanId, run: run.number }}
          aria-current={run.number === shown ? 'true' : undefined}
          onClick={onClose}
        >
          {t`Run ${run.number}`}
        </Link>
      ),
    },
    { key: 'when', heading: t`Date`, renderCell: (run) => dateTime(run.endedAt ?? run.queuedAt) },
    { key: 'state', heading: t`State`, renderCell: (run) => <RunState run={run} /> },
    {
      key: 'score',
      heading: t`Score`,
      isNumeric: true,
      renderCell: ({ score }) => (score === null ? <UnknownValue label={t`No score yet`} /> : toScorePoints(score)),
    },
    { key: 'critical', heading: t`Critical`, isNumeric: true, renderCell: (run) => number(run.openIssues.critical) },
    {
      key: 'compare',
      heading: t`Compare`,
      isHeadingHidden: true,
      renderCell: (run) =>
        run.number === shown ? null : (
          <Link
            to="/scans/$scanId/$run/compare/$other"
            params={{ scanId, run: shown, other: run.number }}
            onClick={onClose}
          >
            {t`Compare with run ${run.number}`}
          </Link>
        ),
    },
  ]
}
