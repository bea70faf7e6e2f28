import { Plural, useLingui } from '@lingui/react/macro'
import { IssueStatus } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState } from '../../../kit/page/states.tsx'
import { everythingSelected } from '../../../kit/table/use-selection.ts'
import { useSession } from '../../user/model.ts'
import { isFiltered, issueSearchDefaults, type IssueSearch, withoutFilters } from '../model.ts'
import { selectedCountQuery } from '../queries.ts'

type Props = { search: IssueSearch; onChange: (next: Partial<IssueSearch>) => void }

/** Says why the list is empty, and what leads to issues. */
export function NothingFound(props: Props) {
  return (
    <div className={layout.card}>
      {isFiltered(props.search) ? <NoMatch {...props} /> : <NothingOpen {...props} />}
    </div>
  )
}

/** Issues with any status; those that were there before, too. */
const everyStatus = { status: [...IssueStatus.options] }

function EveryStatus({ onChange }: Pick<Props, 'onChange'>) {
  const { t } = useLingui()
  return <Button onPress={() => onChange(everyStatus)}>{t`Show every status`}</Button>
}

function NoMatch({ search, onChange }: Props) {
  const { t } = useLingui()
  return (
    <EmptyState
      title={t`No issue matches`}
      action={
        <>
          {search.q && (
            <Button onPress={() => onChange({ q: '' })}>{t`Remove the search “${search.q}”`}</Button>
          )}
          {search.status.join() === issueSearchDefaults.status.join() && <EveryStatus onChange={onChange} />}
          <Button onPress={() => onChange(withoutFilters(search))}>{t`Clear all`}</Button>
        </>
      }
    >
      <p>{t`No issues match these filters.`}</p>
    </EmptyState>
  )
}

/** Without a filter: all is done, or waits for a run that tests it, or there never was anything. */
function NothingOpen({ search, onChange }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const countOf = (asked: Partial<IssueSearch>) =>
    selectedCountQuery(api, { ...search, ...asked }, everythingSelected)
  const all = useQuery(countOf(everyStatus))
  const untested = useQuery(countOf({ change: ['not-rechecked'] }))
  const isKnown = [all, untested].every(({ isSuccess, isPlaceholderData }) => isSuccess && !isPlaceholderData)
  // Of an earlier run, nothing follows for what is to be done today.
  if (!isKnown || search.run !== undefined)
    return (
      <EmptyState title={t`No open issues`} action={<EveryStatus onChange={onChange} />}>
        {null}
      </EmptyState>
    )
  const waiting = untested.data?.count ?? 0
  const isDone = (all.data?.count ?? 0) > 0 && waiting === 0
  return (
    <EmptyState
      title={isDone ? t`Nothing left to do` : t`No open issues`}
      action={(isDone || waiting > 0) && <EveryStatus onChange={onChange} />}
    >
      <p>
        {isDone ? (
          t`Every issue is fixed, ignored, not counted or no longer found.`
        ) : waiting > 0 ? (
          <Plural
            value={waiting}
            one="# issue of an earlier run was not tested again."
            other="# issues of earlier runs were not tested again."
          />
        ) : (
          t`Either nothing was found, or no run has tested a page yet.`
        )}
      </p>
    </EmptyState>
  )
}
