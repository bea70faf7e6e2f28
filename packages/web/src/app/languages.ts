/** Languages by their native name. A new one needs a line here and a catalog in `src/locales`. */
export const languageNames = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  ja: '日本語',
} as const
