import { Plural, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import field from './field.module.css'
import { FieldMessage } from './field.tsx'
import layout from '../page/layout.module.css'
import styles from './pick-list.module.css'

type Item<Id extends string> = { id: Id; name: string }
/** Entries that are drawn at once; the search leads to the others. */
const mostShown = 100

type SearchedProps<Id extends string> = {
  legend: string
  items: readonly Item<Id>[]
  /** What is beside the legend: how many are chosen. */
  count: number
  /** Where an error summary leads to: the search field. */
  id?: string
  error?: string | undefined
  children: (item: Item<Id>) => ReactNode
}

/** A long list to choose from, narrowed by a search. */
export function SearchedList<Id extends string>(props: SearchedProps<Id>) {
  const { legend, items, count, error, children } = props
  const { t } = useLingui()
  const made = useId()
  const id = props.id ?? made
  const [words, setWords] = useState('')
  const wanted = words.trim().toLocaleLowerCase()
  const found = items.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const more = found.length - mostShown
  return (
    <fieldset className={styles.picks}>
      <legend className={field.legend}>{legend}</legend>
      <p className={field.hint}>
        <Plural value={count} _0="None chosen" one="# chosen" other="# chosen" />
      </p>
      <label className={layout.hidden} htmlFor={id}>
        {t`Find in: ${legend}`}
      </label>
      <input
        id={id}
        type="search"
        className={field.control}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        placeholder={t`Find by name`}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {error && <FieldMessage id={`${id}-error`}>{error}</FieldMessage>}
      <ul className={styles.list}>
        {found.slice(0, mostShown).map((item) => (
          <li key={item.id}>{children(item)}</li>
        ))}
      </ul>
      <p role="status" className={field.hint}>
        {found.length === 0 && t`Nothing matches`}
        {more > 0 && (
          <Plural value={more} one="# more: find it by its name." other="# more: find them by their names." />
        )}
      </p>
    </fieldset>
  )
}

type Props<Id extends string> = {
  legend: string
  items: readonly Item<Id>[]
  chosen: readonly Id[]
  id?: string
  error?: string | undefined
  /** What is to be known of an entry before it is chosen. */
  noteOf?: (id: Id) => string | undefined
  onChange: (chosen: Id[]) => void
}

/** Any number of a long list, by tick boxes. */
export function PickList<Id extends string>({ chosen, noteOf, onChange, ...list }: Props<Id>) {
  const on = new Set(chosen)
  const notes = useId()
  return (
    <SearchedList {...list} count={chosen.length}>
      {({ id, name }) => {
        const note = noteOf?.(id)
        return (
          <div className={styles.pick}>
            <label className={styles.tick}>
              <input
                type="checkbox"
                aria-describedby={note && `${notes}${id}`}
                checked={on.has(id)}
                onChange={() => onChange(on.has(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
              />
              <span className={layout.break}>{name}</span>
            </label>
            {note && (
              <span id={`${notes}${id}`} className={`${layout.muted} ${layout.sm}`}>
                {note}
              </span>
            )}
          </div>
        )
      }}
    </SearchedList>
  )
}
