import { useLingui } from '@lingui/react/macro'
import { MenuButton } from './menu.tsx'
import type { MenuEntry } from './groups.ts'

export function RowMenu({ name, entries }: { name: string; entries: readonly MenuEntry[] }) {
  const { t } = useLingui()
  const menuLabel = t`Actions for ${name}`
  return (
    <MenuButton
      label={menuLabel}
      button={{ kind: 'quiet', small: true, square: true, icon: 'more', label: menuLabel }}
      groups={[{ id: 'actions', entries }]}
    />
  )
}
