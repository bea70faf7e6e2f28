import { useLingui } from '@lingui/react/macro'
import { MenuButton } from './menu.tsx'
import type { MenuEntry } from './groups.ts'

/** What can be done to one row. */
export function RowMenu({ name, entries }: { name: string; entries: readonly MenuEntry[] }) {
  const { t } = useLingui()
  const label = t`Actions for ${name}`
  return (
    <MenuButton
      label={label}
      button={{ kind: 'quiet', small: true, square: true, icon: 'more', label }}
      groups={[{ id: 'actions', entries }]}
    />
  )
}
