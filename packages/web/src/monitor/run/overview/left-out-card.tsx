import { useLingui } from '@lingui/react/macro'
import type { LeftOutPattern } from '@clearway/contract/monitor/run/left-out/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import layout from '../../../kit/page/layout.module.css'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { AddLineButton } from '../../scan/parts/add-line-button.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { leftOutQuery, type RunKey } from './queries.ts'

/** URLs that the page limit left out, by their form. A scan admin can skip each form, or raise the limit. */
export function LeftOutCard({ runKey }: { runKey: RunKey }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatNumber } = useFormats()
  const leftOut = useQuery(leftOutQuery(apiClient, runKey)).data
  const canEdit = useQuery(scanQuery(apiClient, runKey.scanId)).data?.rights.manage ?? false
  if (!leftOut || leftOut.patterns.length === 0) return null
  const columns: Column<LeftOutPattern>[] = [
    { key: 'pattern', heading: t`Form of the URLs`, isRowHeading: true, renderCell: (row) => <PatternName row={row} /> },
    { key: 'urls', heading: t`URLs`, isNumeric: true, renderCell: ({ urls }) => formatNumber(urls) },
    ...(canEdit
      ? [
          {
            key: 'skip',
            heading: t`Action`,
            renderCell: ({ pattern, example }: LeftOutPattern) => (
              <div className={layout.row}>
                <AddLineButton
                  scanId={runKey.scanId}
                  setting="urlsToSkip"
                  line={pattern}
                  label={t`Skip URLs of the form ${pattern}`}
                >
                  {t`Skip`}
                </AddLineButton>
                <AddLineButton scanId={runKey.scanId} setting="alwaysTested" line={example} label={t`Always test ${example}`}>
                  {t`Always test`}
                </AddLineButton>
              </div>
            ),
          },
        ]
      : []),
  ]
  return (
    <section className={layout.card} aria-labelledby="left-out">
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id="left-out">{t`Known URLs beyond the page limit`}</h2>
        <p className={`${layout.muted} ${layout.sm}`}>
          {t`Known URLs that this run did not test. Skipped ones leave room for others from the next run.`}
        </p>
        {canEdit && (
          <Link to="/scans/$scanId/edit" params={{ scanId: runKey.scanId }}>
            {t`Raise the page limit`}
          </Link>
        )}
      </div>
      <DataTable
        caption={t`Known URLs beyond the page limit`}
        columns={columns}
        rows={leftOut.patterns}
        rowKey={({ pattern }) => pattern}
      />
    </section>
  )
}

function PatternName({ row: { pattern, urls, example } }: { row: LeftOutPattern }) {
  return (
    <>
      <code className={layout.break} translate="no">
        {pattern}
      </code>
      {urls > 1 && (
        <p className={`${layout.muted} ${layout.sm} ${layout.break}`} translate="no">
          {example}
        </p>
      )}
    </>
  )
}
