import { maxSearchLength } from '@clearway/contract/kit/paging.ts'
import { useEffect, useId, useRef, useState } from 'react'
import field from '../form/field.module.css'
import { Icon } from '../control/icon.tsx'
import { useShortcut } from '../keyboard/shortcuts.ts'
import layout from '../page/layout.module.css'
import styles from './search-field.module.css'

const debounceMs = 350

type SearchFieldProps = { label: string; placeholder: string; value: string; onSearch: (text: string) => void }

/** Searches 350 ms after the last key, or at once on Enter. Follows the URL on Back. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const inputId = useId()
  const shortcutProps = useShortcut('search')
  const [searchText, setSearchText] = useState(value)
  const debounceTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [syncedValue, setSyncedValue] = useState(value)
  if (syncedValue !== value) {
    setSyncedValue(value)
    setSearchText(value)
  }
  useEffect(() => () => clearTimeout(debounceTimer.current), [])
  const submitSearch = (searchWords: string) => {
    clearTimeout(debounceTimer.current)
    if (searchWords.trim() !== value) onSearch(searchWords.trim())
  }
  return (
    <div className={styles.search}>
      <label className={layout.hidden} htmlFor={inputId}>
        {label}
      </label>
      <Icon name="search" />
      <input
        id={inputId}
        {...shortcutProps}
        type="search"
        className={field.control}
        placeholder={placeholder}
        value={searchText}
        maxLength={maxSearchLength}
        onChange={(event) => {
          const typedText = event.target.value
          setSearchText(typedText)
          clearTimeout(debounceTimer.current)
          debounceTimer.current = setTimeout(() => submitSearch(typedText), debounceMs)
        }}
        onKeyDown={(event) => event.key === 'Enter' && submitSearch(searchText)}
      />
    </div>
  )
}
