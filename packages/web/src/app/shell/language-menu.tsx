import { useLingui } from '@lingui/react/macro'
import { MenuButton } from '../../kit/menu/menu.tsx'
import type { Locale } from '../i18n.ts'
import { isLocale, locales, switchLanguage } from '../i18n.ts'

/** Chooses the language; each stands in its own words. */
export function LanguageMenu() {
  const { t, i18n } = useLingui()
  const current: Locale = isLocale(i18n.locale) ? i18n.locale : 'en'
  const name = locales[current]
  return (
    <MenuButton
      label={t`Language`}
      button={{ kind: 'quiet', small: true, icon: 'globe', label: t`${name}, change language` }}
      groups={[
        {
          id: 'language',
          chosen: current,
          entries: (Object.keys(locales) as Locale[]).map((locale) => ({
            id: locale,
            label: locales[locale],
            text: locales[locale],
            lang: locale,
            onAction: () => void switchLanguage(locale, true),
          })),
        },
      ]}
    >
      <span>{name}</span>
    </MenuButton>
  )
}
