import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from '../dialog/dialog.tsx'
import { findByWords, splitSearch } from '../list/find-by-words.ts'
import layout from '../page/layout.module.css'
import field from './field.module.css'
import { SearchStatus } from './pick-list.tsx'
import styles from './searched-choice.module.css'

export type ChoiceEntry<Id extends string | number> = {
  id: Id
  name: string
  details: readonly string[]
  /** Words that find the entry besides its texts. */
  searchWords?: string
}
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

/**
 * Choice of one of many entries, found by the words of their names and details. The selected one comes first until something is
 * typed; then Enter chooses the first one.
 */
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
  const searchedWords = splitSearch(searchText)
  const isSelected = ({ id }: ChoiceEntry<Id>) => id === selectedId
  const matchingEntries = findByWords(entries ?? [], searchedWords, {
    getText: ({ name, details, searchWords = '' }) => [name, ...details, searchWords].join(' '),
    isExactMatch: searchedWords.length === 0 ? isSelected : isExactMatch,
  })
  const chooseFirst = (event: KeyboardEvent<HTMLInputElement>) => {
    // The end of a composition of Japanese text is no choice, nor is the key that opened the dialog and is still held.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!event.repeat && searchedWords.length > 0 && matchingEntries[0]) onChoose(matchingEntries[0].id)
  }
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
        onKeyDown={chooseFirst}
      />
      {children}
      <ul className={styles.entries}>
        {matchingEntries.slice(0, maxVisibleEntries).map((entry) => (
          <li key={entry.id}>
            <button type="button" aria-current={isSelected(entry) ? 'true' : undefined} onClick={() => onChoose(entry.id)}>
              <span className={layout.strong}>{entry.name}</span>{' '}
              <span className={`${layout.muted} ${layout.sm}`}>{entry.details.join(' · ')}</span>
            </button>
          </li>
        ))}
      </ul>
      <SearchStatus
        isEmpty={entries !== undefined && matchingEntries.length === 0}
        noMatchText={noMatchText}
        hiddenItemCount={matchingEntries.length - maxVisibleEntries}
      />
    </div>
  )
}
