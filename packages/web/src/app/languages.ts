/** The languages, each by its own name: a line here, and its dictionary in `src/locales`. */
export const languages = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  ja: '日本語',
} as const
