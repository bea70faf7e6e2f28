import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { RunComparison, RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import field from '../../../kit/form/field.module.css'
import { findByWords, splitSearch } from '../../../kit/list/find-by-words.ts'
import { QueryState } from '../../../kit/page/states.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { allRunsQuery } from '../queries.ts'
import styles from './run-choice.module.css'

type RunPair = { older: number; newer: number }
/** Maximum number of rendered runs; the search finds the others. */
const maxVisibleRuns = 200

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

function RunChoice({ label, date, onChoose, ...searchProps }: RunChoiceProps) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  const { value } = searchProps
  const runName = t`Run ${value}`
  return (
    <>
      <Button iconEnd="down" onPress={() => setIsOpen(true)}>
        {[`${label}: ${runName}`, date].filter(Boolean).join(', ')}
      </Button>
      {isOpen && (
        <Dialog title={label} onClose={() => setIsOpen(false)}>
          <RunSearch
            {...searchProps}
            onChoose={(chosen) => {
              setIsOpen(false)
              onChoose(chosen)
            }}
          />
          <DialogActions>
            <Button onPress={() => setIsOpen(false)}>{t`Cancel`}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

/** All runs of a scan, newest first, found by number or date. */
function RunSearch({ scanId, value, otherSide, onChoose }: Omit<RunChoiceProps, 'label' | 'date'>) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const searchFieldId = useId()
  const [searchText, setSearchText] = useState('')
  const describeRun = useRunDescription()
  const runList = useQuery(allRunsQuery(apiClient, scanId))
  const otherRuns = (runList.data ?? []).filter(({ number }) => number !== otherSide)
  const matchingRuns = findByWords(otherRuns, splitSearch(searchText), {
    getText: (run) => describeRun(run).join(' '),
    isExactMatch: ({ number }, searchedWords) => searchedWords.includes(`${number}`),
  })
  return (
    <div className={layout.tight}>
      <label htmlFor={searchFieldId}>{t`Find a run by number or date`}</label>
      <input
        id={searchFieldId}
        type="search"
        autoFocus
        className={field.control}
        value={searchText}
        onChange={({ target }) => setSearchText(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && matchingRuns[0] && onChoose(matchingRuns[0].number)}
      />
      <QueryState query={runList} loadingLabel={t`Loading`} failureTitle={t`The runs could not be loaded.`} lines={4} />
      <p role="status" className={matchingRuns.length > 0 || !runList.data ? layout.hidden : layout.muted}>
        {runList.data && matchingRuns.length === 0 && t`No run matches`}
      </p>
      <ul className={styles.runs}>
        {matchingRuns.slice(0, maxVisibleRuns).map((run) => {
          const [runName, ...details] = describeRun(run)
          return (
            <li key={run.id}>
              <button type="button" aria-current={run.number === value ? 'true' : undefined} onClick={() => onChoose(run.number)}>
                <span className={layout.strong}>{runName}</span>{' '}
                <span className={`${layout.muted} ${layout.sm}`}>{details.join(' · ')}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Returns a function for the texts of a run: its name, date and score. */
function useRunDescription() {
  const { t } = useLingui()
  const formatRunDate = useRunDate()
  return ({ number, score, ...run }: RunSummary): string[] => [
    t`Run ${number}`,
    formatRunDate(run),
    ...(score === null ? [] : [t`Score ${toScorePoints(score)}`]),
  ]
}

function useRunDate() {
  const { formatDate } = useFormats()
  return ({ queuedAt, endedAt }: Pick<RunSummary, 'queuedAt' | 'endedAt'>): string => formatDate(endedAt ?? queuedAt)
}
