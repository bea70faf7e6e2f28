import { useLingui } from '@lingui/react/macro'
import { IssueStatus } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState } from '../../../kit/page/states.tsx'
import { everythingSelected } from '../../../kit/table/use-selection.ts'
import { UntestedIssues } from '../../run/parts/not-counted.tsx'
import { useSession } from '../../user/model.ts'
import { isFiltered, issueSearchDefaults, type IssueSearch, withoutFilters } from '../model.ts'
import { selectedCountQuery } from '../queries.ts'

type NothingFoundProps = { search: IssueSearch; onChange: (next: Partial<IssueSearch>) => void }

export function EmptyIssueList(props: NothingFoundProps) {
  return (
    <div className={layout.card}>{isFiltered(props.search) ? <NoMatchState {...props} /> : <NoOpenIssuesState {...props} />}</div>
  )
}

const anyStatusSearch = { status: [...IssueStatus.options] }

function AnyStatusButton({ onChange }: Pick<NothingFoundProps, 'onChange'>) {
  const { t } = useLingui()
  return <Button onPress={() => onChange(anyStatusSearch)}>{t`Show every status`}</Button>
}

function NoMatchState({ search, onChange }: NothingFoundProps) {
  const { t } = useLingui()
  return (
    <EmptyState
      title={t`No issue matches`}
      action={
        <>
          {search.q && <Button onPress={() => onChange({ q: '' })}>{t`Remove the search “${search.q}”`}</Button>}
          {search.status.join() === issueSearchDefaults.status.join() && <AnyStatusButton onChange={onChange} />}
          <Button onPress={() => onChange(withoutFilters(search))}>{t`Clear all`}</Button>
        </>
      }
    >
      <p>{t`No issues match these filters.`}</p>
    </EmptyState>
  )
}

/** Empty state without filters: all issues are done, wait for a run that tests them, or never existed. */
function NoOpenIssuesState({ search, onChange }: NothingFoundProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const createCountQuery = (changes: Partial<IssueSearch>) =>
    selectedCountQuery(apiClient, { ...search, ...changes }, everythingSelected)
  const anyStatusCount = useQuery(createCountQuery(anyStatusSearch))
  const untestedCount = useQuery(createCountQuery({ change: ['not-rechecked'] }))
  const areCountsLoaded = [anyStatusCount, untestedCount].every(
    ({ isSuccess, isPlaceholderData }) => isSuccess && !isPlaceholderData,
  )
  // An earlier run says nothing about today's open issues.
  if (!areCountsLoaded || search.run !== undefined)
    return (
      <EmptyState title={t`No open issues`} action={<AnyStatusButton onChange={onChange} />}>
        {null}
      </EmptyState>
    )
  const waitingCount = untestedCount.data?.count ?? 0
  const isEverythingDone = (anyStatusCount.data?.count ?? 0) > 0 && waitingCount === 0
  return (
    <EmptyState
      title={isEverythingDone ? t`Nothing left to do` : t`No open issues`}
      action={(isEverythingDone || waitingCount > 0) && <AnyStatusButton onChange={onChange} />}
    >
      <p>
        {isEverythingDone ? (
          t`Every issue is fixed, ignored, not counted or no longer found.`
        ) : waitingCount > 0 ? (
          <UntestedIssues count={waitingCount} />
        ) : (
          t`Either nothing was found, or no run has tested a page yet.`
        )}
      </p>
    </EmptyState>
  )
}
