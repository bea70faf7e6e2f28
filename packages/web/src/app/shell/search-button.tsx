import { useLingui } from '@lingui/react/macro'
import { Suspense, lazy, useEffect, useState } from 'react'
import { getButtonClass } from '../../kit/control/button.tsx'
import { Icon } from '../../kit/control/icon.tsx'
import { withLaterTexts } from '../../kit/text/later-texts.ts'

const loadPalette = () => withLaterTexts(import('./search-palette.tsx'))
const SearchPalette = lazy(() => loadPalette().then((m) => ({ default: m.SearchPalette })))

/** Opens the search over everything, also by Ctrl+K or ⌘K from wherever the focus is. */
export function SearchButton() {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOurs =
        (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && !event.isComposing
      if (!isOurs || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      // A question that is open is answered first.
      if (!document.querySelector('[role=dialog], [role=alertdialog]')) setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className={getButtonClass({ kind: 'quiet', small: true, square: true })}
        aria-label={t`Search everything`}
        title={t`Search everything (Ctrl+K)`}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onPointerEnter={() => void loadPalette()}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
      </button>
      {open && (
        <Suspense fallback={null}>
          <SearchPalette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
