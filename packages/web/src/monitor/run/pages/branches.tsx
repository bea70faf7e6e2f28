import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { BranchRunSummary } from '@clearway/contract/monitor/run/branch/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ListCard } from '../../../kit/list/card.tsx'
import { useRowActions } from '../../../kit/list/row-actions.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState } from '../../../kit/page/states.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { RemoveBranchRunDialog } from '../branch/remove-dialog.tsx'
import { BranchResultSign } from '../branch/result.tsx'
import { branchListQuery } from '../queries-branch.ts'

const branchesRoute = getRouteApi('/scans/$scanId/branches')

/** /scans/{scanId}/branches: results of gates on branches, which are no runs of the scan. */
export function BranchListPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const { scanId } = branchesRoute.useParams()
  const branchSearch = branchesRoute.useSearch()
  const navigateTo = branchesRoute.useNavigate()
  const scan = useQuery(scanQuery(apiClient, scanId)).data
  const branchList = useQuery(branchListQuery(apiClient, scanId, branchSearch))
  const [rowToDelete, setRowToDelete] = useState<BranchRunSummary | null>(null)
  const branchColumns = useBranchColumns(scanId)
  const actionsColumn = useRowActions<BranchRunSummary>(
    ({ branch }) => branch,
    (row) => [{ id: 'delete', text: t`Delete…`, isDestructive: true, onAction: () => setRowToDelete(row) }],
  )
  const totalCount = branchList.data?.page.totalElements
  return (
    <>
      <PageHead
        title={t`Branches`}
        document={scan ? t`Branches: ${scan.name}` : t`Branches`}
        productName={appConfig.productName}
        crumbs={[
          <Link key="scans" to="/scans">{t`Scans`}</Link>,
          <Link key="scan" to="/scans/$scanId" params={{ scanId }}>
            {scan?.name ?? ''}
          </Link>,
        ]}
        facts={
          totalCount !== undefined && (
            <p role="status">
              <Plural value={totalCount} one="# result" other="# results" />
            </p>
          )
        }
      />
      <ListCard
        caption={t`Branches`}
        placeholder={t`Name of a branch`}
        list={branchList}
        columns={scan?.rights.curate ? [...branchColumns, actionsColumn] : branchColumns}
        rowKey={({ id }) => id}
        search={branchSearch}
        onChange={(next) => void navigateTo({ search: next })}
        emptyState={
          <EmptyState title={t`No results on branches yet`}>
            <p>{t`“clearway gate” with --upload stores its result here: what a change would add to this scan, before it is merged.`}</p>
          </EmptyState>
        }
      />
      {rowToDelete !== null && (
        <RemoveBranchRunDialog scanId={scanId} branchRun={rowToDelete} onClose={() => setRowToDelete(null)} />
      )}
    </>
  )
}

function useBranchColumns(scanId: ScanId): readonly Column<BranchRunSummary>[] {
  const { t } = useLingui()
  const { formatNumber, formatDateTime } = useFormats()
  const createCount = (
    key: keyof Pick<BranchRunSummary['totals'], 'new' | 'known' | 'fixed' | 'notChecked'>,
    heading: string,
  ): Column<BranchRunSummary> => ({
    key,
    heading,
    isNumeric: true,
    renderCell: ({ totals }) => formatNumber(totals[key]),
  })
  return [
    {
      key: 'branch',
      heading: t`Branch`,
      isRowHeading: true,
      renderCell: ({ id, branch, commit }) => (
        <>
          <Link
            to="/scans/$scanId/branches/$branchRun"
            params={{ scanId, branchRun: id }}
            className={`${layout.strong} ${layout.break}`}
          >
            {branch}
          </Link>
          {commit !== null && (
            <div translate="no" className={`${layout.muted} ${layout.sm} ${layout.break}`}>
              {commit.slice(0, 12)}
            </div>
          )}
        </>
      ),
    },
    { key: 'result', heading: t`Result`, renderCell: ({ result }) => <BranchResultSign result={result} /> },
    createCount('new', t`New`),
    createCount('known', t`Known`),
    createCount('fixed', t`Fixed`),
    createCount('notChecked', t`Not checked`),
    {
      key: 'uploaded',
      heading: t`Uploaded`,
      renderCell: ({ uploadedAt, uploadedBy }) => (
        <>
          <time className={layout.nowrap} dateTime={uploadedAt}>
            {formatDateTime(uploadedAt)}
          </time>
          <div className={`${layout.muted} ${layout.sm}`}>{uploadedBy.name ?? t`Former member`}</div>
        </>
      ),
    },
  ]
}
