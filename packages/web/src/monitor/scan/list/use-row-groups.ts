import { useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import type { ScanSearch } from '../model.ts'

type RowGroup = { name: string; scans: ScanSummary[] }

/** Groups the rows by a property, in order of first appearance. Returns null without grouping. */
export function useRowGroups(rows: readonly ScanSummary[], groupedBy: ScanSearch['group']): RowGroup[] | null {
  const { t } = useLingui()
  if (groupedBy === 'none') return null
  const typeLabels = { quick: t`Quick`, standard: t`Standard`, large: t`Large`, custom: t`Custom` }
  const priorityLabels = { high: t`High priority`, medium: t`Medium priority`, low: t`Low priority` }
  const groupNameGetters: Record<Exclude<ScanSearch['group'], 'none'>, (scan: ScanSummary) => string> = {
    group: ({ groups }) => groups[0]?.name ?? t`In no scan group`,
    priority: ({ priority }) => priorityLabels[priority],
    type: ({ type }) => typeLabels[type],
  }
  const scansByGroup = new Map<string, ScanSummary[]>()
  for (const scan of rows) {
    const groupName = groupNameGetters[groupedBy](scan)
    scansByGroup.set(groupName, [...(scansByGroup.get(groupName) ?? []), scan])
  }
  return [...scansByGroup].map(([name, scans]) => ({ name, scans }))
}
