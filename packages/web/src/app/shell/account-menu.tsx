import { useLingui } from '@lingui/react/macro'
import { Button } from '../../kit/control/button.tsx'
import { createMenuEntry, type MenuGroup } from '../../kit/menu/groups.ts'
import { MenuButton } from '../../kit/menu/menu.tsx'
import { hiddenReportsQuery, useMediaQuery } from '../../kit/page/use-media-query.ts'
import { getPersonName } from '../../kit/text/person.ts'
import { useSession } from '../../monitor/user/model.ts'
import { useOwnDestinations } from './own-destinations.ts'
import { type Density, type Theme, setDensity, setTheme, useDensity, useTheme } from './preferences.ts'

export function AccountMenu() {
  const { t } = useLingui()
  const { permissions, config: appConfig, logout, login } = useSession()
  const currentTheme = useTheme()
  const currentDensity = useDensity()
  const isNarrow = useMediaQuery(hiddenReportsQuery)
  const ownDestinations = useOwnDestinations()
  const displayName = getPersonName(permissions)
  const themeLabels: Record<Theme, string> = { system: t`System default`, light: t`Light`, dark: t`Dark` }
  const densityLabels: Record<Density, string> = { comfortable: t`Comfortable`, compact: t`Compact` }
  const menuGroups: MenuGroup[] = [
    {
      id: 'theme',
      title: t`Theme`,
      selectedId: currentTheme,
      entries: (Object.keys(themeLabels) as Theme[]).map((id) => createMenuEntry(id, themeLabels[id], () => setTheme(id))),
    },
    {
      id: 'density',
      title: t`Density`,
      selectedId: currentDensity,
      entries: (Object.keys(densityLabels) as Density[]).map((id) =>
        createMenuEntry(id, densityLabels[id], () => setDensity(id)),
      ),
    },
    ...(permissions.isGuest
      ? []
      : [{ id: 'own', entries: ownDestinations.map(({ id, text, go }) => createMenuEntry(id, text, () => void go())) }]),
    {
      id: 'leave',
      entries: [
        ...(appConfig.axeReportsUrl && isNarrow
          ? [{ id: 'reports', text: t`Reports`, label: t`Reports`, href: appConfig.axeReportsUrl }]
          : []),
        ...(appConfig.supportUrl ? [{ id: 'support', text: t`Support`, label: t`Support`, href: appConfig.supportUrl }] : []),
        ...(permissions.isGuest && login ? [] : [createMenuEntry('logout', t`Log out`, logout)]),
      ],
    },
  ].filter(({ entries }) => entries.length > 0)
  // A guest has no account: only how the screens look, and the way to sign in.
  if (permissions.isGuest)
    return (
      <>
        <MenuButton label={t`Display`} button={{ kind: 'quiet', small: true, iconEnd: 'down' }} groups={menuGroups}>
          <span>{t`Display`}</span>
        </MenuButton>
        {login && <Button small onPress={login}>{t`Sign in`}</Button>}
      </>
    )
  return (
    <MenuButton
      label={t`Account of ${displayName}`}
      button={{ kind: 'quiet', small: true, icon: 'person', iconEnd: 'down' }}
      groups={menuGroups}
    >
      <span>{displayName}</span>
    </MenuButton>
  )
}
