import { Plural, useLingui } from '@lingui/react/macro'
import type { KeyboardEvent } from 'react'
import { useId, useRef, useState } from 'react'
import layout from '../page/layout.module.css'
import type { FieldControl } from './field.tsx'
import styles from './mention-area.module.css'

type Person = { id: string; name: string }
type Props = {
  control: FieldControl
  keys?: object | undefined
  autoFocus?: boolean | undefined
  value: string
  maxLength: number
  people: readonly Person[]
  onChange: (value: string) => void
}

const mostShown = 6
/** What is typed of a name after an @ that begins a word: two words at most, just before the caret. */
const begun = /(?:^|[^\p{L}\p{N}])@((?:[^\s@]{1,40} ?[^\s@]{0,40})?)$/u

/** What is being typed of a name at the caret; null when nobody is being mentioned. */
const nameAt = (text: string, caret: number): string | null =>
  begun.exec(text.slice(Math.max(0, caret - 90), caret))?.[1] ?? null

/** A name that was typed to its end, with a space behind it: the text goes on. */
const isWhole = (typed: string, people: readonly Person[]) =>
  typed.endsWith(' ') && people.some(({ name }) => name === typed.trimEnd())

/**
 * A text in which @ offers people. The caret stays in the text; arrows choose, Enter and Tab take the choice, Escape closes the list.
 */
export function MentionArea({ control, keys, autoFocus, value, maxLength, people, onChange }: Props) {
  const { t, i18n } = useLingui()
  const area = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const [caret, setCaret] = useState(0)
  const [chosen, setChosen] = useState(0)
  // Where Escape closed the list: it stays closed for this name.
  const [closed, setClosed] = useState<string | null>(null)
  const name = nameAt(value, caret)
  const lower = (text: string) => text.toLocaleLowerCase(i18n.locale)
  const found =
    name === null || closed === name || isWhole(name, people)
      ? []
      : people
          .filter((person) => ` ${lower(person.name)}`.includes(` ${lower(name).trimEnd()}`))
          .slice(0, mostShown)
  const at = Math.min(chosen, found.length - 1)
  const look = (next: HTMLTextAreaElement) => {
    setCaret(next.selectionStart)
    setChosen(0)
  }
  const take = (person: Person) => {
    const from = caret - (name ?? '').length
    const before = `${value.slice(0, from)}${person.name} `
    onChange(before + value.slice(caret).replace(/^ /, ''))
    setCaret(before.length)
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(before.length, before.length)
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { shiftKey, ctrlKey, altKey, metaKey } = event
    if (event.key === 'Enter' && (ctrlKey || metaKey)) return event.currentTarget.form?.requestSubmit()
    if (found.length === 0 || event.nativeEvent.isComposing || shiftKey || ctrlKey || altKey || metaKey)
      return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setChosen((at + step + found.length) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(found[at]!)
    else if (event.key === 'Escape') setClosed(name)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const open = found.length > 0
  return (
    <div className={styles.area}>
      <textarea
        {...control}
        {...keys}
        ref={area}
        rows={3}
        maxLength={maxLength}
        autoFocus={autoFocus}
        aria-autocomplete="list"
        aria-controls={open ? list : undefined}
        aria-activedescendant={open ? `${list}-${at}` : undefined}
        value={value}
        onKeyDown={onKeyDown}
        onSelect={({ currentTarget }) => {
          if (currentTarget.selectionStart !== caret) look(currentTarget)
        }}
        onBlur={() => setCaret(0)}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value)
          look(currentTarget)
          setClosed(null)
        }}
      />
      {open && (
        <div id={list} role="listbox" aria-label={t`People`} className={styles.list}>
          {found.map((person, index) => (
            <div
              key={person.id}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // The text keeps the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                take(person)
              }}
            >
              {person.name}
            </div>
          ))}
        </div>
      )}
      <span role="status" className={layout.hidden}>
        {open && (
          <Plural
            value={found.length}
            one="# person. Press Enter to select."
            other="# people. Use the arrow keys to choose and Enter to select."
          />
        )}
      </span>
    </div>
  )
}
