import { Plural, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import layout from '../page/layout.module.css'
import type { FieldControl } from './field.tsx'
import styles from './mention-area.module.css'

type MentionablePerson = { id: string; name: string }
type MentionAreaProps = {
  control: FieldControl
  shortcutProps?: object | undefined
  autoFocus?: boolean | undefined
  value: string
  maxLength: number
  people: readonly MentionablePerson[]
  onChange: (value: string) => void
}

const maxSuggestions = 6
/** Matches a partial name of at most two words after an @ at the start of a word, directly before the caret. */
const mentionPattern = /(?:^|[^\p{L}\p{N}])@((?:[^\s@]{1,40} ?[^\s@]{0,40})?)$/u

const getMentionQuery = (text: string, caretIndex: number): string | null =>
  mentionPattern.exec(text.slice(Math.max(0, caretIndex - 90), caretIndex))?.[1] ?? null

/** Returns true for a complete name followed by a space: the mention is finished. */
const isCompleteName = (mentionQuery: string, people: readonly MentionablePerson[]) =>
  mentionQuery.endsWith(' ') && people.some(({ name }) => name === mentionQuery.trimEnd())

/** Text area with suggestions of people after an @. Arrow keys move, Enter and Tab insert, Escape closes the list. */
export function MentionArea({ control, shortcutProps, autoFocus, value, maxLength, people, onChange }: MentionAreaProps) {
  const { t, i18n } = useLingui()
  const textAreaRef = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [caretIndex, setCaretIndex] = useState(0)
  const [selectedIndex, setSelectedIndex] = useState(0)
  // Query for which Escape closed the list; the list stays closed until the query changes.
  const [dismissedQuery, setDismissedQuery] = useState<string | null>(null)
  const mentionQuery = getMentionQuery(value, caretIndex)
  const toLowerCase = (text: string) => text.toLocaleLowerCase(i18n.locale)
  const suggestions =
    mentionQuery === null || dismissedQuery === mentionQuery || isCompleteName(mentionQuery, people)
      ? []
      : people
          .filter((person) => ` ${toLowerCase(person.name)}`.includes(` ${toLowerCase(mentionQuery).trimEnd()}`))
          .slice(0, maxSuggestions)
  const activeIndex = Math.min(selectedIndex, suggestions.length - 1)
  const updateCaret = (textArea: HTMLTextAreaElement) => {
    setCaretIndex(textArea.selectionStart)
    setSelectedIndex(0)
  }
  const insertMention = (person: MentionablePerson) => {
    const mentionStart = caretIndex - (mentionQuery ?? '').length
    const textBeforeCaret = `${value.slice(0, mentionStart)}${person.name} `
    onChange(textBeforeCaret + value.slice(caretIndex).replace(/^ /, ''))
    setCaretIndex(textBeforeCaret.length)
    requestAnimationFrame(() => {
      textAreaRef.current?.focus()
      textAreaRef.current?.setSelectionRange(textBeforeCaret.length, textBeforeCaret.length)
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { shiftKey, ctrlKey, altKey, metaKey } = event
    if (event.key === 'Enter' && (ctrlKey || metaKey)) return event.currentTarget.form?.requestSubmit()
    if (suggestions.length === 0 || event.nativeEvent.isComposing || shiftKey || ctrlKey || altKey || metaKey) return
    const indexStep = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (indexStep) setSelectedIndex((activeIndex + indexStep + suggestions.length) % suggestions.length)
    else if (event.key === 'Enter' || event.key === 'Tab') insertMention(suggestions[activeIndex]!)
    else if (event.key === 'Escape') setDismissedQuery(mentionQuery)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const isListOpen = suggestions.length > 0
  return (
    <div className={styles.area}>
      <textarea
        {...control}
        {...shortcutProps}
        ref={textAreaRef}
        rows={3}
        maxLength={maxLength}
        autoFocus={autoFocus}
        aria-autocomplete="list"
        aria-controls={isListOpen ? listId : undefined}
        aria-activedescendant={isListOpen ? `${listId}-${activeIndex}` : undefined}
        value={value}
        onKeyDown={onKeyDown}
        onSelect={({ currentTarget }) => {
          if (currentTarget.selectionStart !== caretIndex) updateCaret(currentTarget)
        }}
        onBlur={() => setCaretIndex(0)}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value)
          updateCaret(currentTarget)
          setDismissedQuery(null)
        }}
      />
      {isListOpen && (
        <div id={listId} role="listbox" aria-label={t`People`} className={styles.list}>
          {suggestions.map((person, index) => (
            <div
              key={person.id}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === activeIndex}
              // Keeps the focus in the text area.
              onMouseDown={(event) => {
                event.preventDefault()
                insertMention(person)
              }}
            >
              {person.name}
            </div>
          ))}
        </div>
      )}
      <span role="status" className={layout.hidden}>
        {isListOpen && (
          <Plural
            value={suggestions.length}
            one="# person. Press Enter to select."
            other="# people. Use the arrow keys to choose and Enter to select."
          />
        )}
      </span>
    </div>
  )
}
