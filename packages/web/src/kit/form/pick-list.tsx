import { Plural, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import field from './field.module.css'
import { FieldMessage } from './field.tsx'
import layout from '../page/layout.module.css'
import { findByWords, splitSearch } from '../list/find-by-words.ts'
import styles from './pick-list.module.css'

type PickListItem<Id extends string | number> = { id: Id; name: string }
/** Maximum number of rendered entries; the search finds the others. */
const maxVisibleItems = 100

type SearchedListProps<Id extends string | number> = {
  legend: string
  items: readonly PickListItem<Id>[]
  /** Omitted for a single choice. */
  selectedCount?: number
  /** Text of the empty search field, if the entries are not found by a name. */
  placeholder?: string
  /** Returns true for an entry that comes first because it is one of the searched words. */
  isExactMatch?: (item: PickListItem<Id>, searchedWords: readonly string[]) => boolean
  /** Id of the search field, the target of links in the error summary. */
  id?: string
  error?: string | undefined
  children: (item: PickListItem<Id>) => ReactNode
}

export function SearchedList<Id extends string | number>(props: SearchedListProps<Id>) {
  const { legend, items, selectedCount, error, children } = props
  const { t } = useLingui()
  const generatedId = useId()
  const searchFieldId = props.id ?? generatedId
  const [searchText, setSearchText] = useState('')
  const searchedWords = splitSearch(searchText)
  const matchingItems = findByWords(items, searchedWords, { getText: ({ name }) => name, isExactMatch: props.isExactMatch })
  const hiddenItemCount = matchingItems.length - maxVisibleItems
  return (
    <fieldset className={styles.picks}>
      <legend className={field.legend}>{legend}</legend>
      {selectedCount !== undefined && (
        <p className={field.hint}>
          <Plural value={selectedCount} _0="None chosen" one="# chosen" other="# chosen" />
        </p>
      )}
      <label className={layout.hidden} htmlFor={searchFieldId}>
        {t`Find in: ${legend}`}
      </label>
      <input
        id={searchFieldId}
        type="search"
        className={field.control}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${searchFieldId}-error` : undefined}
        placeholder={props.placeholder ?? t`Find by name`}
        value={searchText}
        onChange={(event) => setSearchText(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {error && <FieldMessage id={`${searchFieldId}-error`}>{error}</FieldMessage>}
      <ul className={styles.list}>
        {matchingItems.slice(0, maxVisibleItems).map((item) => (
          <li key={item.id}>{children(item)}</li>
        ))}
      </ul>
      <SearchStatus isEmpty={matchingItems.length === 0} noMatchText={t`Nothing matches`} hiddenItemCount={hiddenItemCount} />
    </fieldset>
  )
}

type SearchStatusProps = { isEmpty: boolean; noMatchText: string; hiddenItemCount: number }

/** Announces that nothing matches a search, or how many entries are not rendered. */
export function SearchStatus({ isEmpty, noMatchText, hiddenItemCount }: SearchStatusProps) {
  return (
    <p role="status" className={field.hint}>
      {isEmpty && noMatchText}
      {hiddenItemCount > 0 && (
        <Plural value={hiddenItemCount} one="# more. Search to find it." other="# more. Search to find them." />
      )}
    </p>
  )
}

type PickListProps<Id extends string> = {
  legend: string
  items: readonly PickListItem<Id>[]
  selectedIds: readonly Id[]
  id?: string
  error?: string | undefined
  getNote?: (id: Id) => string | undefined
  onChange: (selectedIds: Id[]) => void
}

/** Multiple choice from a long list, with checkboxes. */
export function PickList<Id extends string>({ selectedIds, getNote, onChange, ...listProps }: PickListProps<Id>) {
  const selectedIdSet = new Set(selectedIds)
  const noteIdPrefix = useId()
  return (
    <SearchedList {...listProps} selectedCount={selectedIds.length}>
      {({ id, name }) => {
        const itemNote = getNote?.(id)
        return (
          <div className={styles.pick}>
            <label className={styles.tick}>
              <input
                type="checkbox"
                aria-describedby={itemNote && `${noteIdPrefix}${id}`}
                checked={selectedIdSet.has(id)}
                onChange={() => onChange(selectedIdSet.has(id) ? selectedIds.filter((one) => one !== id) : [...selectedIds, id])}
              />
              <span className={layout.break}>{name}</span>
            </label>
            {itemNote && (
              <span id={`${noteIdPrefix}${id}`} className={`${layout.muted} ${layout.sm}`}>
                {itemNote}
              </span>
            )}
          </div>
        )
      }}
    </SearchedList>
  )
}
