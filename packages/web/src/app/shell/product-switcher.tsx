import { useLingui } from '@lingui/react/macro'
import { MenuButton } from '../../kit/menu/menu.tsx'
import { useSession } from '../../monitor/user/model.ts'

/** Leads to the other products of the house. There is none when no other is configured. */
export function ProductSwitcher() {
  const { t } = useLingui()
  const { config } = useSession()
  if (config.products.length === 0) return null
  const label = t`Switch product`
  return (
    <MenuButton
      label={label}
      button={{ kind: 'quiet', small: true, square: true, icon: 'down', label }}
      groups={[
        {
          id: 'products',
          entries: config.products.map(({ name, url }) => ({ id: url, text: name, label: name, href: url })),
        },
      ]}
    />
  )
}
