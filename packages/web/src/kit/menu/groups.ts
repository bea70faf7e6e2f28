import type { ReactNode } from 'react'

/** One line of a menu. */
export type MenuEntry = {
  id: string
  label: ReactNode
  /** Plain words of the label, for typing ahead. */
  text: string
  lang?: string
  href?: string
  danger?: boolean
  onAction?: () => void
}
/** Lines that belong together. */
export type MenuGroup = {
  id: string
  /** Heading of the group; without one it is a plain list of actions. */
  title?: string
  entries: readonly MenuEntry[]
  /** Id of the current entry; makes the group a choice. */
  chosen?: string
}
