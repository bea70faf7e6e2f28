import { useLingui } from '@lingui/react/macro'
import type { MenuGroup } from '../../kit/menu/groups.ts'
import { MenuButton } from '../../kit/menu/menu.tsx'
import { belowReports, useMedia } from '../../kit/page/use-media.ts'
import { nameOfPerson } from '../../kit/text/person.ts'
import { useSession } from '../../monitor/user/model.ts'
import { useOwnDestinations } from './own-destinations.ts'
import type { Density, Theme } from './preferences.ts'
import { setDensity, setTheme, useDensity, useTheme } from './preferences.ts'

/** Who is signed in, how the application looks, and the way out. */
export function AccountMenu() {
  const { t } = useLingui()
  const { permissions, config, logout, login } = useSession()
  const theme = useTheme()
  const density = useDensity()
  const narrow = useMedia(belowReports)
  const destinations = useOwnDestinations()
  const name = permissions.isGuest ? t`Guest` : nameOfPerson(permissions)
  const entry = (id: string, text: string, onAction: () => void) => ({ id, text, label: text, onAction })
  const themes: Record<Theme, string> = { system: t`System default`, light: t`Light`, dark: t`Dark` }
  const densities: Record<Density, string> = { comfortable: t`Comfortable`, compact: t`Compact` }
  const groups: MenuGroup[] = [
    {
      id: 'theme',
      title: t`Theme`,
      chosen: theme,
      entries: (Object.keys(themes) as Theme[]).map((id) => entry(id, themes[id], () => setTheme(id))),
    },
    {
      id: 'density',
      title: t`Density`,
      chosen: density,
      entries: (Object.keys(densities) as Density[]).map((id) =>
        entry(id, densities[id], () => setDensity(id)),
      ),
    },
    ...(permissions.isGuest
      ? []
      : [
          {
            id: 'own',
            entries: destinations.map(({ id, text, go }) => entry(id, text, () => void go())),
          },
        ]),
    {
      id: 'leave',
      entries: [
        ...(config.axeReportsUrl && narrow
          ? [{ id: 'reports', text: t`Reports`, label: t`Reports`, href: config.axeReportsUrl }]
          : []),
        ...(config.supportUrl
          ? [{ id: 'support', text: t`Support`, label: t`Support`, href: config.supportUrl }]
          : []),
        login ? entry('login', t`Log in`, login) : entry('logout', t`Log out`, logout),
      ],
    },
  ]
  return (
    <MenuButton
      label={t`Account of ${name}`}
      button={{ kind: 'quiet', small: true, icon: 'person', iconEnd: 'down' }}
      groups={groups}
    >
      <span>{name}</span>
    </MenuButton>
  )
}
