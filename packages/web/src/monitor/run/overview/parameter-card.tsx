import { Plural, useLingui } from '@lingui/react/macro'
import { formatParameterRule } from '@clearway/contract/monitor/page/url/model.ts'
import type { ParameterProposal } from '@clearway/contract/monitor/run/parameter/schema.ts'
import { useQuery } from '@tanstack/react-query'
import layout from '../../../kit/page/layout.module.css'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { AddLineButton } from '../../scan/parts/add-line-button.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { parameterQuery, type RunKey } from './queries.ts'

/** Parameters of URLs that changed no page, which a scan admin can ignore by one click for the path where they were found. Shown only if there are some. */
export function ParameterCard({ runKey }: { runKey: RunKey }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatNumber } = useFormats()
  const proposals = useQuery(parameterQuery(apiClient, runKey)).data?.proposals ?? []
  const canEdit = useQuery(scanQuery(apiClient, runKey.scanId)).data?.rights.manage ?? false
  if (proposals.length === 0) return null
  const columns: Column<ParameterProposal>[] = [
    {
      key: 'name',
      heading: t`Parameter`,
      isRowHeading: true,
      renderCell: (row) => <ParameterName proposal={row} />,
    },
    { key: 'pages', heading: t`Pages`, isNumeric: true, renderCell: ({ pages }) => formatNumber(pages) },
    { key: 'contents', heading: t`Different contents`, isNumeric: true, renderCell: ({ contents }) => formatNumber(contents) },
    ...(canEdit
      ? [
          {
            key: 'ignore',
            heading: t`Action`,
            renderCell: (proposal: ParameterProposal) => {
              const rule = formatParameterRule(proposal)
              return (
                <AddLineButton
                  scanId={runKey.scanId}
                  setting="meaninglessParameters"
                  line={rule}
                  label={t`Ignore the parameter ${rule}`}
                >
                  {t`Ignore`}
                </AddLineButton>
              )
            },
          },
        ]
      : []),
  ]
  return (
    <section className={layout.card} aria-labelledby="parameters">
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id="parameters">{t`Parameters that change no page`}</h2>
        <p className={`${layout.muted} ${layout.sm}`}>
          {t`URLs that differ only in these have the same content. Ignored, such pages are tested and counted once.`}
        </p>
      </div>
      <DataTable caption={t`Parameters that change no page`} columns={columns} rows={proposals} rowKey={formatParameterRule} />
    </section>
  )
}

function ParameterName({ proposal }: { proposal: ParameterProposal }) {
  const { pages, examples } = proposal
  const [first = '', second = ''] = examples
  return (
    <>
      <code className={layout.break} translate="no">
        {formatParameterRule(proposal)}
      </code>
      <p className={`${layout.muted} ${layout.sm} ${layout.break}`}>
        <Plural value={pages} one="It never changed # page, for example:" other="It never changed # pages, for example:" />
      </p>
      <p className={`${layout.muted} ${layout.sm} ${layout.break}`} translate="no">
        {first}
        <br />
        {second}
      </p>
    </>
  )
}
