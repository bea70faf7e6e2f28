import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from '../dialog/dialog.tsx'
import { findByWords, splitSearch } from '../list/find-by-words.ts'
import layout from '../page/layout.module.css'
import field from './field.module.css'
import styles from './searched-choice.module.css'

export type ChoiceEntry<Id extends string | number> = { id: Id; name: string; details: readonly string[] }
/** Maximum number of rendered entries; the search finds the others. */
const maxVisibleEntries = 200

type SearchedChoiceProps<Id extends string | number> = {
  title: string
  searchLabel: string
  noMatchText: string
  /** Undefined until they are loaded. */
  entries: readonly ChoiceEntry<Id>[] | undefined
  selectedId: Id
  /** Returns true for an entry that comes first because it is one of the searched words. */
  isExactMatch?: (entry: ChoiceEntry<Id>, searchedWords: readonly string[]) => boolean
  /** Progress or failure of loading the entries. */
  children?: ReactNode
  onChoose: (id: Id) => void
  onClose: () => void
}

/** Choice of one of many entries, found by the words of their names and details. Enter chooses the first one. */
export function SearchedChoice<Id extends string | number>({ title, onClose, ...searchProps }: SearchedChoiceProps<Id>) {
  const { t } = useLingui()
  return (
    <Dialog title={title} onClose={onClose}>
      <EntrySearch {...searchProps} />
      <DialogActions>
        <Button onPress={onClose}>{t`Cancel`}</Button>
      </DialogActions>
    </Dialog>
  )
}

function EntrySearch<Id extends string | number>(props: Omit<SearchedChoiceProps<Id>, 'title' | 'onClose'>) {
  const { searchLabel, noMatchText, entries, selectedId, isExactMatch, children, onChoose } = props
  const searchFieldId = useId()
  const [searchText, setSearchText] = useState('')
  const matchingEntries = findByWords(entries ?? [], splitSearch(searchText), {
    getText: ({ name, details }) => [name, ...details].join(' '),
    isExactMatch,
  })
  const hasNoMatch = entries !== undefined && matchingEntries.length === 0
  return (
    <div className={layout.tight}>
      <label htmlFor={searchFieldId}>{searchLabel}</label>
      <input
        id={searchFieldId}
        type="search"
        autoFocus
        className={field.control}
        value={searchText}
        onChange={({ target }) => setSearchText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (matchingEntries[0]) onChoose(matchingEntries[0].id)
        }}
      />
      {children}
      <p role="status" className={hasNoMatch ? layout.muted : layout.hidden}>
        {hasNoMatch && noMatchText}
      </p>
      <ul className={styles.entries}>
        {matchingEntries.slice(0, maxVisibleEntries).map(({ id, name, details }) => (
          <li key={id}>
            <button type="button" aria-current={id === selectedId ? 'true' : undefined} onClick={() => onChoose(id)}>
              <span className={layout.strong}>{name}</span>{' '}
              <span className={`${layout.muted} ${layout.sm}`}>{details.join(' · ')}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
