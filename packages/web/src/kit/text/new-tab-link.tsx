import type { ReactNode } from 'react'
import { Icon } from '../control/icon.tsx'
import layout from '../page/layout.module.css'
import styles from './new-tab-link.module.css'

/** A link that leaves the product, in a tab of its own; `says` tells so to those who do not see the sign. */
export function NewTabLink({ href, says, children }: { href: string; says: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={styles.link}>
      <span>
        {children}
        <span className={layout.hidden}> {says}</span>
      </span>
      <Icon name="external" />
    </a>
  )
}
