import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import layout from '../../../kit/page/layout.module.css'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { SourceRun } from './source-run.tsx'

type ListSourceProps = { scanIds: readonly ScanId[]; runNumber: number | undefined }

/** The scan of a list, whose filter may be folded, and the run of the results if a later one has none. */
export function ListSource({ scanIds, runNumber }: ListSourceProps) {
  const { api: apiClient } = useSession()
  const [scanId] = scanIds
  const scan = useQuery({ ...scanQuery(apiClient, scanId!), enabled: scanIds.length === 1 }).data
  if (!scan) return null
  const scoredRun = scan.recentScores.findLast(({ score }) => score !== null)
  const isEarlier = scoredRun && runNumber === undefined && scoredRun.number < (scan.lastRun?.number ?? 0)
  return (
    <>
      <span className={layout.break}>{scan.name} · </span>
      {isEarlier && (
        <>
          <SourceRun run={scoredRun} isSmall={false} />
          {' · '}
        </>
      )}
    </>
  )
}
