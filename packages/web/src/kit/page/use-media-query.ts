import { useSyncExternalStore } from 'react'

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const mediaQueryList = matchMedia(query)
      mediaQueryList.addEventListener('change', onChange)
      return () => mediaQueryList.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}

/** Below this width, lists become cards and dialogs fill the screen. Print, which is as narrow, keeps tables. */
export const smallScreenQuery = 'screen and (max-width: 47.99rem)'
/** Below this width, the link to the reports is in the account menu. */
export const hiddenReportsQuery = '(max-width: 575.99px)'
/** From this width, a detail is shown next to its list. */
export const sideBySideQuery = '(min-width: 76rem)'
