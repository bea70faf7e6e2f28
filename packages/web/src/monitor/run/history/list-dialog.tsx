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
import { scorePoints, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { QueryState, Unknown } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { runPageQuery } from '../queries.ts'
import { RunState } from '../parts/state.tsx'

type Props = { scanId: ScanId; shown: number; onClose: () => void }

/** Every run of a scan, to look at or to compare with the one that is shown. */
export function RunListDialog({ scanId, shown, onClose }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const { number } = useFormats()
  const [page, setPage] = useState(0)
  const runs = useQuery(runPageQuery(api, scanId, page))
  const columns = useColumns({ scanId, shown, onClose })
  const pages = Math.max(1, runs.data?.page.totalPages ?? 1)
  const [here, all] = [number(page + 1), number(pages)]
  return (
    <Dialog title={t`All runs`} onClose={onClose}>
      <QueryState query={runs} loading={t`Loading`} failed={t`The runs could not be loaded.`} lines={4} />
      {runs.data && (
        <DataTable
          caption={t`All runs`}
          columns={columns}
          rows={runs.data.content}
          rowKey={({ id }) => id}
          busy={runs.isPlaceholderData}
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
  const { number, dateTime } = useFormats()
  return [
    {
      key: 'run',
      head: t`Run`,
      rowHead: true,
      cell: (run) => (
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
    { key: 'when', head: t`Date`, cell: (run) => dateTime(run.endedAt ?? run.queuedAt) },
    { key: 'state', head: t`State`, cell: (run) => <RunState run={run} /> },
    {
      key: 'score',
      head: t`Score`,
      numeric: true,
      cell: ({ score }) => (score === null ? <Unknown label={t`No score yet`} /> : scorePoints(score)),
    },
    { key: 'critical', head: t`Critical`, numeric: true, cell: (run) => number(run.openIssues.critical) },
    {
      key: 'compare',
      head: t`Compare`,
      quiet: true,
      cell: (run) =>
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
