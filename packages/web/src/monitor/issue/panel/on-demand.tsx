import { type ReactNode, useState } from 'react'
import { getButtonClass } from '../../../kit/control/button.tsx'
import styles from './discussion.module.css'

type OnDemandProps = {
  label: string
  /** Text that is not saved yet: the form is then open from the start. */
  hasDraft?: boolean
  children: ReactNode
}

/** A form behind its name. Opening it moves the focus to its field. */
export function OnDemand({ label, hasDraft = false, children }: OnDemandProps) {
  const [isOpenAtStart] = useState(hasDraft)
  return (
    <details className={styles.demand} open={isOpenAtStart}>
      <summary
        className={getButtonClass({ small: true })}
        onClick={({ currentTarget: { parentElement: details } }) =>
          requestAnimationFrame(() => details?.querySelector<HTMLElement>('[open] :is(input, textarea)')?.focus())
        }
      >
        {label}
      </summary>
      {children}
    </details>
  )
}
