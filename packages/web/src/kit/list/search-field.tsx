import { searchLength } from '@clearway/contract/kit/paging.ts'
import { useEffect, useId, useRef, useState } from 'react'
import field from '../form/field.module.css'
import { Icon } from '../control/icon.tsx'
import { useShortcut } from '../keyboard/shortcuts.ts'
import layout from '../page/layout.module.css'
import styles from './search-field.module.css'

const pauseMs = 350

type Props = { label: string; placeholder: string; value: string; onSearch: (text: string) => void }

/** Searches 350 ms after the last key, at once on Enter. Follows the address bar when Back changes it. */
export function SearchField({ label, placeholder, value, onSearch }: Props) {
  const id = useId()
  const keys = useShortcut('search')
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (words: string) => {
    clearTimeout(timer.current)
    if (words.trim() !== value) onSearch(words.trim())
  }
  return (
    <div className={styles.search}>
      <label className={layout.hidden} htmlFor={id}>
        {label}
      </label>
      <Icon name="search" />
      <input
        id={id}
        {...keys}
        type="search"
        className={field.control}
        placeholder={placeholder}
        value={text}
        maxLength={searchLength}
        onChange={(event) => {
          const words = event.target.value
          setText(words)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(words), pauseMs)
        }}
        onKeyDown={(event) => event.key === 'Enter' && search(text)}
      />
    </div>
  )
}
