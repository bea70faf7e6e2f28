import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { Preset } from '@clearway/contract/monitor/preset/schema.ts'
import { getPageLimit } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { ManagedList } from '../../../kit/list/managed-list.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useRuleSetNames } from '../../ruleset/parts/rule-set-names.ts'
import { ScanNames } from '../../scan/parts/scan-names.tsx'
import { useSession } from '../../user/model.ts'
import { DeletePresetDialog } from '../list/delete-dialog.tsx'
import { presetListQuery } from '../queries.ts'

type PresetRow = z.output<typeof Preset>
const presetListRoute = getRouteApi('/admin/presets')

export function PresetListPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const presetSearch = presetListRoute.useSearch()
  const navigateTo = presetListRoute.useNavigate()
  return (
    <ManagedList
      title={t`Presets`}
      productName={appConfig.productName}
      renderCount={(total) => <Plural value={total} one="# preset" other="# presets" />}
      createLink={{ to: '/admin/presets/new', label: t`New preset` }}
      placeholder={t`Name of a preset`}
      list={useQuery(presetListQuery(apiClient, presetSearch))}
      columns={usePresetColumns()}
      rowKey={({ id }) => id}
      getRowName={({ name }) => name}
      onEdit={({ id }) => void navigateTo({ to: '/admin/presets/$presetId/edit', params: { presetId: id } })}
      renderDelete={(preset, onClose) => <DeletePresetDialog preset={preset} onClose={onClose} />}
      search={presetSearch}
      onChange={(next) => void navigateTo({ search: next })}
      empty={{
        title: t`No presets yet`,
        text: t`A preset holds settings that many scans share: for example, the rules of WCAG 2.2 AA and a limit of 500 pages for all public sites.`,
      }}
    />
  )
}

function PresetName({ preset: { id, name, decisions } }: { preset: PresetRow }) {
  const { t } = useLingui()
  const { formatList } = useFormats()
  const decisionTexts = useDecisionTexts()(decisions)
  return (
    <>
      <Link to="/admin/presets/$presetId/edit" params={{ presetId: id }} className={layout.rowName}>
        {name}
      </Link>
      <p className={`${layout.muted} ${layout.sm} ${layout.sentence}`}>
        {decisionTexts.length > 0 ? formatList(decisionTexts) : t`Each scan decides everything.`}
      </p>
    </>
  )
}

/** Returns a function that lists what a preset decides, the most significant first. */
function useDecisionTexts() {
  const { t } = useLingui()
  const getRuleSetNames = useRuleSetNames()
  return ({ ruleSet, scanScope, ...decisions }: PresetRow['decisions']): string[] => [
    ...(ruleSet ? getRuleSetNames(ruleSet) : []),
    ...(scanScope ? [t`at most ${plural(getPageLimit(scanScope), { one: '# page', other: '# pages' })}`] : []),
    ...(decisions.urlScope ? [t`which URLs belong to a scan`] : []),
    ...(decisions.commonComponents ? [t`common components`] : []),
    ...(decisions.advanced ? [t`advanced settings`] : []),
    ...(decisions.sendToReports === null
      ? []
      : [decisions.sendToReports ? t`results sent to the reports product` : t`results not sent to the reports product`]),
    ...(decisions.shareLink === null ? [] : [decisions.shareLink ? t`public link allowed` : t`no public link`]),
  ]
}

function usePresetColumns(): readonly Column<PresetRow>[] {
  const { t } = useLingui()
  const { formatDate } = useFormats()
  return [
    {
      key: 'name',
      heading: t`Name`,
      sortField: 'name',
      isRowHeading: true,
      renderCell: (preset) => <PresetName preset={preset} />,
    },
    {
      key: 'scans',
      heading: t`Scans that use it`,
      sortField: 'assignedScanCount',
      firstDirection: 'desc',
      renderCell: ({ assignedScanCount, scanNames }) => <ScanNames names={scanNames} count={assignedScanCount} />,
    },
    {
      key: 'changed',
      heading: t`Changed`,
      sortField: 'updatedAt',
      firstDirection: 'desc',
      renderCell: ({ updatedAt }) => formatDate(updatedAt),
    },
  ]
}
