import { useLingui } from '@lingui/react/macro'
import type { MessageDescriptor } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../kit/control/button.tsx'
import { Filters } from '../../../kit/list/filters.tsx'
import { FilterChoice } from '../../../kit/list/filter-choice.tsx'
import { FilterDay } from '../../../kit/list/filter-day.tsx'
import { useSession } from '../../user/model.ts'
import type { AuditSearch } from '../model.ts'
import { days, isFiltered, noFilters } from '../model.ts'
import { actionWords, nounWords } from '../parts/words.ts'
import { auditPeopleQuery } from '../queries.ts'

type Props = { search: AuditSearch; onChange: (next: Partial<AuditSearch>) => void }

/** Who, what, on what and when: each in the address bar. */
export function AuditFilters({ search, onChange }: Props) {
  const { t } = useLingui()
  const { actor, action, noun, from, until } = search
  return (
    <Filters label={t`Audit log`} activeCount={[actor, action, noun, from, until].filter(Boolean).length} isSingleLine>
      <FilterChoice
        label={t`User`}
        value={actor}
        options={usePeople(actor)}
        onChange={(next) => onChange({ actor: next })}
      />
      <FilterChoice
        label={t`Action`}
        value={action}
        options={useOptions(actionWords)}
        onChange={(next) => onChange({ action: next as AuditSearch['action'] })}
      />
      <FilterChoice
        label={t`Object`}
        value={noun}
        options={useOptions(nounWords)}
        onChange={(next) => onChange({ noun: next as AuditSearch['noun'] })}
      />
      <FilterDay label={t`From`} value={from} {...days} onChange={(next) => onChange({ from: next })} />
      <FilterDay label={t`Until`} value={until} {...days} onChange={(next) => onChange({ until: next })} />
      {isFiltered(search) && (
        <Button kind="quiet" small onPress={() => onChange(noFilters)}>
          {t`Clear all`}
        </Button>
      )}
    </Filters>
  )
}

/** Values with their words, in the order of the words. */
function useOptions(words: Readonly<Record<string, MessageDescriptor>>): (readonly [string, string])[] {
  const { t, i18n } = useLingui()
  return Object.entries(words)
    .map(([value, word]) => [value, t(word)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, i18n.locale))
}

/** Everybody who has signed in; who is asked for is there in any case. */
function usePeople(actor: string): (readonly [string, string])[] {
  const people = useQuery(auditPeopleQuery(useSession())).data ?? []
  const known = people.map(({ id, name }): readonly [string, string] => [id, name])
  return actor === '' || people.some(({ id }) => id === actor) ? known : [...known, [actor, actor]]
}
