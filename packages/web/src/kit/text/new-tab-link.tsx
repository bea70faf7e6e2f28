import type { ReactNode } from 'react'
import { Icon } from '../control/icon.tsx'
import layout from '../page/layout.module.css'
import styles from './new-tab-link.module.css'

/** External link that opens in a new tab. `says` announces this to screen readers. */
export function NewTabLink({ href, says: announcement, children }: { href: string; says: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={styles.link}>
      <span>
        {children}
        <span className={layout.hidden}> {announcement}</span>
      </span>
      <Icon name="external" />
    </a>
  )
}
