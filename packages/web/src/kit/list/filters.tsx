import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import { getButtonClass } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import { Toolbar } from '../keyboard/toolbar.tsx'
import { useFormats } from '../text/format.ts'
import { smallScreenQuery, useMediaQuery } from '../page/use-media-query.ts'
import layout from '../page/layout.module.css'
import styles from './filter.module.css'

type FiltersProps = {
  /** Accessible name of the search. */
  label: string
  /** Number of active filters, shown on the button when the filters are collapsed. */
  activeCount: number
  isSingleLine?: boolean
  /** First of several lines. */
  firstLine?: ReactNode
  /** Always visible controls: next to the button if collapsed, otherwise at the end of the first line. */
  pinnedControls?: ReactNode
  children: ReactNode
}

/** Filters of a list. On small screens, a button shows them, so that the list stays in view. */
export function Filters({ label, activeCount, isSingleLine = false, firstLine, pinnedControls, children }: FiltersProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const isCollapsed = useMediaQuery(smallScreenQuery)
  const [isOpen, setIsOpen] = useState(false)
  const filtersId = useId()
  const formattedCount = formatNumber(activeCount)
  const visibleFilters = isSingleLine ? children : firstLine
  const collapsibleFilters = isSingleLine ? null : children
  const toggleButton = (
    <button
      type="button"
      className={getButtonClass({ small: true })}
      aria-expanded={isOpen}
      aria-controls={filtersId}
      onClick={() => setIsOpen(!isOpen)}
    >
      {activeCount > 0 ? t`Filters (${formattedCount} on)` : t`Filters`}
      <Icon name={isOpen ? 'up' : 'down'} />
    </button>
  )
  // The pinned controls keep their place in the tree at every width, so that an open dialog keeps its input.
  return (
    <div role="search" aria-label={label}>
      <Toolbar label={t`Filters`} className={`${styles.filters} ${isCollapsed ? layout.tight : ''}`}>
        <div className={isCollapsed ? layout.row : layout.bar}>
          {isCollapsed ? toggleButton : visibleFilters}
          {pinnedControls && <div className={`${layout.row} ${layout.end}`}>{pinnedControls}</div>}
        </div>
        {isCollapsed ? (
          <div id={filtersId}>
            {isOpen && (
              <>
                <div className={layout.bar}>{visibleFilters}</div>
                {collapsibleFilters}
              </>
            )}
          </div>
        ) : (
          collapsibleFilters
        )}
      </Toolbar>
    </div>
  )
}
