import { useLingui } from '@lingui/react/macro'
import { MenuButton } from '../../kit/menu/menu.tsx'
import { useSession } from '../../monitor/user/model.ts'

/** Menu of the vendor's other products; hidden if none is configured. */
export function ProductSwitcher() {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  if (appConfig.products.length === 0) return null
  const menuLabel = t`Switch product`
  return (
    <MenuButton
      label={menuLabel}
      button={{ kind: 'quiet', small: true, square: true, icon: 'down', label: menuLabel }}
      groups={[
        { id: 'products', entries: appConfig.products.map(({ name, url }) => ({ id: url, text: name, label: name, href: url })) },
      ]}
    />
  )
}
