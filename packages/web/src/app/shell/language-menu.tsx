import { useLingui } from '@lingui/react/macro'
import { MenuButton } from '../../kit/menu/menu.tsx'
import type { Locale } from '../i18n.ts'
import { isLocale, switchLanguage } from '../i18n.ts'
import { languages } from '../languages.ts'

/** Chooses the language; each is in its own words. */
export function LanguageMenu() {
  const { t, i18n } = useLingui()
  const current: Locale = isLocale(i18n.locale) ? i18n.locale : 'en'
  const name = languages[current]
  return (
    <MenuButton
      label={t`Language`}
      button={{ kind: 'quiet', small: true, icon: 'globe', label: t`${name}, change language` }}
      groups={[
        {
          id: 'language',
          chosen: current,
          entries: (Object.keys(languages) as Locale[]).map((locale) => ({
            id: locale,
            label: languages[locale],
            text: languages[locale],
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
