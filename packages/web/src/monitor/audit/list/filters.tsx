import { useLingui } from '@lingui/react/macro'
import type { MessageDescriptor } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../kit/control/button.tsx'
import { Filters } from '../../../kit/list/filters.tsx'
import { FilterChoice } from '../../../kit/list/filter-choice.tsx'
import { FilterDay } from '../../../kit/list/filter-day.tsx'
import { useSession } from '../../user/model.ts'
import { type AuditSearch, dayRange, isFiltered, noFilters } from '../model.ts'
import { actionLabels, nounLabels } from '../entry/labels.ts'
import { auditPeopleQuery } from '../queries.ts'

type AuditFiltersProps = { search: AuditSearch; onChange: (next: Partial<AuditSearch>) => void }

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { t } = useLingui()
  const { actor: actorFilter, action: actionFilter, noun: nounFilter, from: fromDay, until: untilDay } = search
  return (
    <Filters
      label={t`Audit log`}
      activeCount={[actorFilter, actionFilter, nounFilter, fromDay, untilDay].filter(Boolean).length}
      isSingleLine
    >
      <FilterChoice
        label={t`User`}
        value={actorFilter}
        options={usePeopleOptions(actorFilter)}
        onChange={(next) => onChange({ actor: next })}
      />
      <FilterChoice
        label={t`Action`}
        value={actionFilter}
        options={useSortedOptions(actionLabels)}
        onChange={(next) => onChange({ action: next as AuditSearch['action'] })}
      />
      <FilterChoice
        label={t`Object`}
        value={nounFilter}
        options={useSortedOptions(nounLabels)}
        onChange={(next) => onChange({ noun: next as AuditSearch['noun'] })}
      />
      <FilterDay label={t`From`} value={fromDay} {...dayRange} onChange={(next) => onChange({ from: next })} />
      <FilterDay label={t`Until`} value={untilDay} {...dayRange} onChange={(next) => onChange({ until: next })} />
      {isFiltered(search) && (
        <Button kind="quiet" small onPress={() => onChange(noFilters)}>
          {t`Clear all`}
        </Button>
      )}
    </Filters>
  )
}

function useSortedOptions(labels: Readonly<Record<string, MessageDescriptor>>): (readonly [string, string])[] {
  const { t, i18n } = useLingui()
  return Object.entries(labels)
    .map(([value, label]) => [value, t(label)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, i18n.locale))
}

/** Returns people who have signed in. Includes the selected person in any case. */
function usePeopleOptions(selectedActor: string): (readonly [string, string])[] {
  const auditPeople = useQuery(auditPeopleQuery(useSession())).data ?? []
  const peopleOptions = auditPeople.map(({ id, name }): readonly [string, string] => [id, name])
  return selectedActor === '' || auditPeople.some(({ id }) => id === selectedActor)
    ? peopleOptions
    : [...peopleOptions, [selectedActor, selectedActor]]
}
