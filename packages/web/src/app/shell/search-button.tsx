import { useLingui } from '@lingui/react/macro'
import { Suspense, lazy, useEffect, useState } from 'react'
import { getButtonClass } from '../../kit/control/button.tsx'
import { Icon } from '../../kit/control/icon.tsx'
import { withDeferredTexts } from '../../kit/text/deferred-texts.ts'

const loadSearchPalette = () => withDeferredTexts(import('./search-palette.tsx'))
const SearchPalette = lazy(() => loadSearchPalette().then((module) => ({ default: module.SearchPalette })))

/** Opens the global search, also by Ctrl+K or ⌘K from anywhere. */
export function SearchButton() {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isSearchShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && !event.isComposing
      if (!isSearchShortcut || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      // An open dialog takes precedence.
      if (!document.querySelector('[role=dialog], [role=alertdialog]')) setIsOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
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
        onPointerEnter={() => void loadSearchPalette()}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="search" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <SearchPalette onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
