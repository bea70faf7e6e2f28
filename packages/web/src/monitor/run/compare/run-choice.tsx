import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { RunComparison, RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { Button } from '../../../kit/control/button.tsx'
import { type ChoiceEntry, SearchedChoice } from '../../../kit/form/searched-choice.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { allRunsQuery } from '../queries.ts'
import styles from './run-choice.module.css'

type RunPair = { older: number; newer: number }

type RunPairChoiceProps = RunPair & { scanId: ScanId; compared: RunComparison | undefined }

/** Choice of the two runs to compare, the older one first, among all other runs of the scan. */
export function RunPairChoice({ scanId, older, newer, compared }: RunPairChoiceProps) {
  const { t } = useLingui()
  const navigateTo = useNavigate()
  const formatRunDate = useRunDate()
  const openComparison = (runNumbers: [number, number]) =>
    void navigateTo({
      to: '/scans/$scanId/$run/compare/$other',
      params: { scanId, run: Math.max(...runNumbers), other: Math.min(...runNumbers) },
      replace: true,
    })
  const runsByNumber = compared && new Map([compared.run, compared.other].map((one) => [one.number, one]))
  const formatDateOf = (runNumber: number) => {
    const summary = runsByNumber?.get(runNumber)
    return summary && formatRunDate(summary)
  }
  return (
    <div className={styles.choice}>
      <RunChoice
        label={t`Older run`}
        scanId={scanId}
        value={older}
        date={formatDateOf(older)}
        otherSide={newer}
        onChoose={(chosen) => openComparison([newer, chosen])}
      />
      <span aria-hidden="true" className={styles.arrow}>
        →
      </span>
      <RunChoice
        label={t`Newer run`}
        scanId={scanId}
        value={newer}
        date={formatDateOf(newer)}
        otherSide={older}
        onChoose={(chosen) => openComparison([chosen, older])}
      />
    </div>
  )
}

type RunChoiceProps = {
  label: string
  scanId: ScanId
  value: number
  /** Undefined until the runs are compared. */
  date: string | undefined
  otherSide: number
  onChoose: (runNumber: number) => void
}

function RunChoice({ label, date, ...searchProps }: RunChoiceProps) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  const { value, onChoose } = searchProps
  const runName = t`Run ${value}`
  return (
    <>
      <Button iconEnd="down" onPress={() => setIsOpen(true)}>
        {[`${label}: ${runName}`, date].filter(Boolean).join(', ')}
      </Button>
      {isOpen && (
        <RunSearch
          {...searchProps}
          title={label}
          onChoose={(chosen) => {
            setIsOpen(false)
            onChoose(chosen)
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

type RunSearchProps = Omit<RunChoiceProps, 'label' | 'date'> & { title: string; onClose: () => void }

/** All runs of a scan, newest first, found by number or date. */
function RunSearch({ scanId, value, otherSide, ...dialogProps }: RunSearchProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const describeRun = useRunDescription()
  const runList = useQuery(allRunsQuery(apiClient, scanId))
  const otherRuns = runList.data?.filter(({ number }) => number !== otherSide)
  return (
    <SearchedChoice
      {...dialogProps}
      searchLabel={t`Find a run by number or date`}
      noMatchText={t`No run matches`}
      entries={otherRuns?.map(describeRun)}
      selectedId={value}
      isExactMatch={({ id }, searchedWords) => searchedWords.includes(`${id}`)}
    >
      <QueryState query={runList} loadingLabel={t`Loading`} failureTitle={t`The runs could not be loaded.`} lines={4} />
    </SearchedChoice>
  )
}

/** Returns a function for the entry of a run: its name, date and score. */
function useRunDescription() {
  const { t } = useLingui()
  const formatRunDate = useRunDate()
  return ({ number, score, ...run }: RunSummary): ChoiceEntry<number> => ({
    id: number,
    name: t`Run ${number}`,
    details: [formatRunDate(run), ...(score === null ? [] : [t`Score ${toScorePoints(score)}`])],
  })
}

function useRunDate() {
  const { formatDate } = useFormats()
  return ({ queuedAt, endedAt }: Pick<RunSummary, 'queuedAt' | 'endedAt'>): string => formatDate(endedAt ?? queuedAt)
}
