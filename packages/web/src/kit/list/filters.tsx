import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import { getButtonClass } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import { useFormats } from '../text/format.ts'
import { small, useMedia } from '../page/use-media.ts'
import layout from '../page/layout.module.css'

type Props = {
  /** What is searched. */
  label: string
  /** How many of the filters are on: said on the button where they are folded. */
  active: number
  /** Whether the filters are one line. */
  line?: boolean
  /** The first line of several. */
  first?: ReactNode
  /** What is always shown: beside the button where the filters are folded, else at the end of their first line. */
  beside?: ReactNode
  children: ReactNode
}

/** The filters of a list; on a small screen behind one button, so that the list is what one sees first. */
export function Filters({ label, active, line = false, first, beside, children }: Props) {
  const { t } = useLingui()
  const { number } = useFormats()
  const folded = useMedia(small)
  const [open, setOpen] = useState(false)
  const id = useId()
  const on = number(active)
  const head = line ? children : first
  const rest = line ? null : children
  const button = (
    <button
      type="button"
      className={getButtonClass({ small: true })}
      aria-expanded={open}
      aria-controls={id}
      onClick={() => setOpen(!open)}
    >
      {active > 0 ? t`Filters (${on} on)` : t`Filters`}
      <Icon name={open ? 'up' : 'down'} />
    </button>
  )
  // What is beside stays the same part when the width changes: a dialog that it has open keeps what was typed.
  return (
    <div role="search" aria-label={label} className={folded ? layout.tight : undefined}>
      <div className={folded ? layout.row : layout.bar}>
        {folded ? button : head}
        {beside}
      </div>
      {folded ? (
        <div id={id}>
          {open && (
            <>
              <div className={layout.bar}>{head}</div>
              {rest}
            </>
          )}
        </div>
      ) : (
        rest
      )}
    </div>
  )
}
