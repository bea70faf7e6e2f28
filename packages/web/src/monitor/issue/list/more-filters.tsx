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
import { sourceWords } from '../../page/parts/source-words.ts'
import { useRuleTitle } from '../../ruleset/queries-texts.ts'
import { useSession } from '../../user/model.ts'
import type { IssueSearch } from '../model.ts'
import { rulesQuery, tagsQuery, usersInViewQuery } from '../queries.ts'
import { issueSearchDefaults } from '../model.ts'
import { changeWords, tagName } from '../parts/words.ts'
import { getPersonName } from '../../../kit/text/person.ts'

type Props = { search: IssueSearch; onApply: (next: Partial<IssueSearch>) => void; onClose: () => void }
type Draft = Pick<
  IssueSearch,
  'source' | 'rule' | 'tag' | 'label' | 'component' | 'assignedTo' | 'change' | 'from' | 'to'
>

/** Every filter that is not always visible; nothing is applied until Apply. */
export function IssueMoreFilters({ search, onApply, onClose }: Props) {
  const { t } = useLingui()
  const [draft, setDraft] = useState<Draft>(search)
  const [wrong, setWrong] = useState<{ from?: string; to?: string }>({})
  const set = (next: Partial<Draft>) => setDraft({ ...draft, ...next })
  const apply = () => {
    const now = new Date()
    const today = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    const future = t`This date is in the future. Choose today or earlier.`
    const found = {
      ...(draft.from > today && { from: future }),
      ...(draft.to > today && { to: future }),
      ...(draft.from && draft.to && draft.to < draft.from && { to: t`Choose a day after the first one.` }),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return
    const { source, rule, tag, label, component, assignedTo, change, from, to } = draft
    onApply({ source, rule, tag, label, component, assignedTo, change, from, to })
  }
  return (
    <Dialog title={t`More filters`} onClose={onClose}>
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <Lists search={search} draft={draft} onChange={set} />
        <CheckGroup
          legend={t`Source`}
          labels={said(sourceWords, t)}
          selectedValues={draft.source}
          onChange={(source) => set({ source })}
        />
        <CheckGroup
          legend={t`Change since last run`}
          labels={said(changeWords, t)}
          selectedValues={draft.change}
          onChange={(change) => set({ change })}
        />
        {(['from', 'to'] as const).map((end) => (
          <Field
            key={end}
            label={end === 'from' ? t`First found from` : t`First found until`}
            error={wrong[end]}
            width="narrow"
          >
            {(control) => (
              <input
                {...control}
                type="date"
                value={draft[end]}
                onChange={({ target }) => set({ [end]: target.value })}
              />
            )}
          </Field>
        ))}
        <DialogActions>
          <Button onPress={() => setDraft({ ...issueSearchDefaults })}>{t`Clear all`}</Button>
          <Button onPress={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit">{t`Apply`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Words in the language of the reader. */
const said = <Key extends string>(
  words: Record<Key, MessageDescriptor>,
  t: (word: MessageDescriptor) => string,
): Record<Key, string> =>
  Object.fromEntries(Object.entries<MessageDescriptor>(words).map(([key, word]) => [key, t(word)])) as Record<
    Key,
    string
  >

type ListsProps = { search: IssueSearch; draft: Draft; onChange: (next: Partial<Draft>) => void }

function Lists({ search, draft, onChange }: ListsProps) {
  const { t, i18n } = useLingui()
  const titleOf = useRuleTitle(i18n.locale)
  const { api, permissions } = useSession()
  const rules = useQuery(rulesQuery(api, search))
  const tags = useQuery(tagsQuery(api, search)).data?.content ?? []
  const users = useQuery({ ...usersInViewQuery(api, search), enabled: !permissions.isGuest })
  const of = (kinds: readonly string[], chosen: readonly string[], nameOf = (tag: string) => tag) => {
    const found = tags.filter(({ kind }) => kinds.includes(kind)).map(({ tag }) => tag)
    return [...new Set([...found, ...chosen])].map((tag) => ({ id: tag, name: nameOf(tag) }))
  }
  const ruleNames =
    rules.data?.map(({ rule, help }) => ({ id: rule, name: `${titleOf(rule, help)} (${rule})` })) ?? []
  const people = [
    { id: '', name: t`Nobody` },
    ...(users.data?.content ?? []).map((person) => ({ id: person.id, name: getPersonName(person) })),
  ]
  const lists = [
    { key: 'rule', legend: t`Rules`, items: ruleNames },
    {
      key: 'tag',
      legend: t`Tags`,
      items: of(['category', 'conformance', 'wcag', 'axe-version', 'other'], draft.tag, tagName),
    },
    { key: 'label', legend: t`Labels`, items: of(['label'], draft.label) },
    { key: 'component', legend: t`Common components`, items: of(['component'], draft.component) },
    ...(permissions.isGuest ? [] : [{ key: 'assignedTo' as const, legend: t`Assignee`, items: people }]),
  ] as const
  return lists.map(({ key, legend, items }) =>
    items.length === 0 ? null : (
      <details key={key} open={draft[key].length > 0}>
        <summary className={field.legend}>
          {legend} {draft[key].length > 0 && `(${draft[key].length})`}
        </summary>
        <PickList
          legend={legend}
          items={items}
          selectedIds={draft[key]}
          onChange={(chosen) => onChange({ [key]: chosen })}
        />
      </details>
    ),
  )
}
