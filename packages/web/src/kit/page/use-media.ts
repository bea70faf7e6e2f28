import { useSyncExternalStore } from 'react'

/** Whether a media query matches now; follows changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}

/** Below this width lists are cards and dialogs fill the screen. Paper, which is as narrow, keeps its tables. */
export const small = 'screen and (max-width: 47.99rem)'
/** Below this width the link to the reports is in the account menu. */
export const belowReports = '(max-width: 575.99px)'
/** From this width a detail is beside its list. */
export const besides = '(min-width: 76rem)'
