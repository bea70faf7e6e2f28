import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../control/icon.tsx'
import styles from './arrow-keys.module.css'
import { useArrowKeys } from './use-arrow-keys.ts'

type ToolbarProps = { label: string; className?: string | undefined; children: ReactNode }

/** Controls that belong together: one tab stop, with arrow keys between them. */
export function Toolbar({ label, className, children }: ToolbarProps) {
  const toolbarRef = useArrowKeys<HTMLDivElement>()
  return (
    <div ref={toolbarRef} role="group" aria-label={label} className={className}>
      {children}
      <ArrowKeysHint />
    </div>
  )
}

/** Visible while a keyboard is in use in the group, until Escape; screen readers announce the toolbar instead. */
export function ArrowKeysHint() {
  const [isDismissed, setDismissed] = useState(false)
  const hintRef = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && hintRef.current?.checkVisibility()) setDismissed(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  if (isDismissed) return null
  return (
    <span ref={hintRef} className={styles.hint} aria-hidden="true">
      <Icon name="left" />
      <Icon name="right" />
    </span>
  )
}
