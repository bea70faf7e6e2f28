import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { CheckGroup } from '../../../kit/form/check-group.tsx'
import { Field } from '../../../kit/form/field.tsx'
import field from '../../../kit/form/field.module.css'
import layout from '../../../kit/page/layout.module.css'
import { PickList } from '../../../kit/form/pick-list.tsx'
import { sourceLabels } from '../../page/parts/source-labels.ts'
import { useRuleTitle } from '../../ruleset/queries-texts.ts'
import { useSession } from '../../user/model.ts'
import { type IssueSearch, issueSearchDefaults } from '../model.ts'
import { rulesQuery, tagsQuery, usersInViewQuery } from '../queries.ts'
import { changeLabels, engineLabels } from '../panel/value-labels.ts'
import { stateLabels } from '../parts/state-label.ts'
import { groupTags } from './tag-groups.ts'
import { getPersonName } from '../../../kit/text/person.ts'

type IssueMoreFiltersProps = { search: IssueSearch; onApply: (next: Partial<IssueSearch>) => void; onClose: () => void }
type FilterDraft = Pick<
  IssueSearch,
  'source' | 'engine' | 'state' | 'rule' | 'tag' | 'label' | 'component' | 'assignedTo' | 'change' | 'from' | 'to'
>

/** Dialog with the less common filters. Nothing applies before Apply. */
export function IssueMoreFilters({ search, onApply, onClose }: IssueMoreFiltersProps) {
  const { t } = useLingui()
  const [filterDraft, setFilterDraft] = useState<FilterDraft>(search)
  const [dateErrors, setDateErrors] = useState<{ from?: string; to?: string }>({})
  const updateDraft = (changes: Partial<FilterDraft>) => setFilterDraft({ ...filterDraft, ...changes })
  const applyFilters = () => {
    const currentTime = new Date()
    const todayIso = new Date(currentTime.getTime() - currentTime.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    const futureDateError = t`This date is in the future. Choose today or earlier.`
    const newErrors = {
      ...(filterDraft.from > todayIso && { from: futureDateError }),
      ...(filterDraft.to > todayIso && { to: futureDateError }),
      ...(filterDraft.from &&
        filterDraft.to &&
        filterDraft.to < filterDraft.from && { to: t`Choose a date after the start date.` }),
    }
    setDateErrors(newErrors)
    if (Object.keys(newErrors).length > 0) return
    const { source, engine, state, rule, tag, label, component, assignedTo, change, from, to } = filterDraft
    onApply({ source, engine, state, rule, tag, label, component, assignedTo, change, from, to })
  }
  return (
    <Dialog title={t`More filters`} onClose={onClose}>
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          applyFilters()
        }}
      >
        <FilterLists search={search} draft={filterDraft} onChange={updateDraft} />
        <CheckGroup
          legend={t`Source`}
          labels={translateRecord(sourceLabels, t)}
          selectedValues={filterDraft.source}
          onChange={(source) => updateDraft({ source })}
        />
        <CheckGroup
          legend={t`Found by`}
          labels={translateRecord(engineLabels, t)}
          selectedValues={filterDraft.engine}
          onChange={(engine) => updateDraft({ engine })}
        />
        <CheckGroup
          legend={t`Seen in`}
          labels={translateRecord(stateLabels, t)}
          selectedValues={filterDraft.state.filter(isKnownState)}
          onChange={(state) => updateDraft({ state: [...filterDraft.state.filter((one) => !isKnownState(one)), ...state] })}
        />
        <CheckGroup
          legend={t`Change since last run`}
          labels={translateRecord(changeLabels, t)}
          selectedValues={filterDraft.change}
          onChange={(change) => updateDraft({ change })}
        />
        {(['from', 'to'] as const).map((rangeEnd) => (
          <Field
            key={rangeEnd}
            label={rangeEnd === 'from' ? t`First found from` : t`First found until`}
            error={dateErrors[rangeEnd]}
            width="narrow"
          >
            {(control) => (
              <input
                {...control}
                type="date"
                value={filterDraft[rangeEnd]}
                onChange={({ target }) => updateDraft({ [rangeEnd]: target.value })}
              />
            )}
          </Field>
        ))}
        <DialogActions>
          <Button onPress={() => setFilterDraft({ ...issueSearchDefaults })}>{t`Clear all`}</Button>
          <Button onPress={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit">{t`Apply`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** False for a single opened state, which only a link sets. */
const isKnownState = (state: string): state is keyof typeof stateLabels => Object.hasOwn(stateLabels, state)

const translateRecord = <Key extends string>(
  messages: Record<Key, MessageDescriptor>,
  t: (message: MessageDescriptor) => string,
): Record<Key, string> =>
  Object.fromEntries(Object.entries<MessageDescriptor>(messages).map(([key, word]) => [key, t(word)])) as Record<Key, string>

type FilterListsProps = { search: IssueSearch; draft: FilterDraft; onChange: (next: Partial<FilterDraft>) => void }

function FilterLists({ search, draft, onChange }: FilterListsProps) {
  const { t, i18n } = useLingui()
  const getRuleTitle = useRuleTitle(i18n.locale)
  const { api: apiClient, permissions } = useSession()
  const violatedRules = useQuery(rulesQuery(apiClient, search))
  const visibleTags = useQuery(tagsQuery(apiClient, search)).data?.content ?? []
  const visibleUsers = useQuery({ ...usersInViewQuery(apiClient, search), enabled: !permissions.isGuest })
  const getTagItems = (tagKind: string, selectedTags: readonly string[]) => {
    const matchingTags = visibleTags.filter(({ kind }) => kind === tagKind).map(({ tag }) => tag)
    return [...new Set([...matchingTags, ...selectedTags])].map((tag) => ({ id: tag, name: tag }))
  }
  const ownTags = visibleTags.filter(({ kind }) => kind !== 'label' && kind !== 'component')
  const ruleNames =
    violatedRules.data?.map(({ rule, help }) => ({
      id: rule,
      name: `${getRuleTitle(rule, help)} (${rule})`,
    })) ?? []
  const assigneeItems = [
    { id: '', name: t`Nobody` },
    ...(visibleUsers.data?.content ?? []).map((person) => ({ id: person.id, name: getPersonName(person) })),
  ]
  const listSections = [
    { key: 'rule', field: 'rule', legend: t`Rules`, items: ruleNames },
    ...groupTags(ownTags, draft.tag, { t, locale: i18n.locale }).map((group) => ({ ...group, field: 'tag' as const })),
    { key: 'label', field: 'label', legend: t`Labels`, items: getTagItems('label', draft.label) },
    { key: 'component', field: 'component', legend: t`Common components`, items: getTagItems('component', draft.component) },
    ...(permissions.isGuest
      ? []
      : [{ key: 'assignedTo', field: 'assignedTo' as const, legend: t`Assignee`, items: assigneeItems }]),
  ] as const
  return listSections.map(({ key, field: fieldName, legend, items }) => {
    if (items.length === 0) return null
    // Several lists may hold the values of one filter.
    const ownIds = new Set(items.map(({ id }) => id))
    const selectedIds = draft[fieldName].filter((id) => ownIds.has(id))
    const otherIds = draft[fieldName].filter((id) => !ownIds.has(id))
    return (
      <details key={key} open={selectedIds.length > 0}>
        <summary className={field.legend}>
          {legend} {selectedIds.length > 0 && `(${selectedIds.length})`}
        </summary>
        <PickList
          legend={legend}
          items={items}
          selectedIds={selectedIds}
          onChange={(chosen) => onChange({ [fieldName]: [...otherIds, ...chosen] })}
        />
      </details>
    )
  })
}
