import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import { buttonClass } from '../control/button.tsx'
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
  children: ReactNode
}

/** The filters of a list; on a small screen behind one button, so that the list is what one sees first. */
export function Filters({ label, active, line = false, children }: Props) {
  const { t } = useLingui()
  const { number } = useFormats()
  const folded = useMedia(small)
  const [open, setOpen] = useState(false)
  const id = useId()
  const on = number(active)
  const shown = line ? <div className={layout.bar}>{children}</div> : children
  if (!folded)
    return (
      <div role="search" aria-label={label}>
        {shown}
      </div>
    )
  return (
    <div role="search" aria-label={label} className={layout.tight}>
      <div>
        <button
          type="button"
          className={buttonClass({ small: true })}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {active > 0 ? t`Filters (${on} on)` : t`Filters`}
          <Icon name={open ? 'up' : 'down'} />
        </button>
      </div>
      <div id={id}>{open && shown}</div>
    </div>
  )
}
