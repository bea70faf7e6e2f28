import { useLingui } from '@lingui/react/macro'
import { MenuButton } from '../../kit/menu/menu.tsx'
import { type Locale, isLocale, switchLanguage } from '../i18n.ts'
import { languageNames } from '../languages.ts'

export function LanguageMenu() {
  const { t, i18n } = useLingui()
  const currentLocale: Locale = isLocale(i18n.locale) ? i18n.locale : 'en'
  const languageName = languageNames[currentLocale]
  return (
    <MenuButton
      label={t`Language`}
      button={{ kind: 'quiet', small: true, icon: 'globe', label: t`${languageName}, change language` }}
      groups={[
        {
          id: 'language',
          selectedId: currentLocale,
          entries: (Object.keys(languageNames) as Locale[]).map((locale) => ({
            id: locale,
            label: languageNames[locale],
            text: languageNames[locale],
            lang: locale,
            onAction: () => void switchLanguage(locale, true),
          })),
        },
      ]}
    >
      <span>{languageName}</span>
    </MenuButton>
  )
}
