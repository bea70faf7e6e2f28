import type { ReactNode } from 'react'

export type MenuEntry = {
  id: string
  label: ReactNode
  /** Plain text of the label, for type-ahead. */
  text: string
  lang?: string
  href?: string
  isDestructive?: boolean
  onAction?: () => void
}
export type MenuGroup = {
  id: string
  /** Heading; a group without a title is a plain list of actions. */
  title?: string
  entries: readonly MenuEntry[]
  /** Id of the current entry; makes the group a single choice. */
  selectedId?: string
}

export const createMenuEntry = (id: string, text: string, onAction: () => void, isDestructive = false): MenuEntry => ({
  id,
  text,
  label: text,
  onAction,
  isDestructive,
})
