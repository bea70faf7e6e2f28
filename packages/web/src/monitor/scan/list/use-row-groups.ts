import { useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import type { ScanSearch } from '../model.ts'

type RowGroup = { name: string; scans: ScanSummary[] }

/** The rows under what they are grouped by, in the order in which they came; null without grouping. */
export function useRowGroups(rows: readonly ScanSummary[], by: ScanSearch['group']): RowGroup[] | null {
  const { t } = useLingui()
  if (by === 'none') return null
  const types = { quick: t`Quick`, standard: t`Standard`, large: t`Large`, custom: t`Custom` }
  const priorities = { high: t`High priority`, medium: t`Medium priority`, low: t`Low priority` }
  const nameOf: Record<Exclude<ScanSearch['group'], 'none'>, (scan: ScanSummary) => string> = {
    group: ({ groups }) => groups[0]?.name ?? t`In no scan group`,
    priority: ({ priority }) => priorities[priority],
    type: ({ type }) => types[type],
  }
  const found = new Map<string, ScanSummary[]>()
  for (const scan of rows) {
    const name = nameOf[by](scan)
    found.set(name, [...(found.get(name) ?? []), scan])
  }
  return [...found].map(([name, scans]) => ({ name, scans }))
}
