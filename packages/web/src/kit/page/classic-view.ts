import { useSyncExternalStore } from 'react'
import { readStoredValue, writeStoredValue } from '../client/storage.ts'
import { sideBySideQuery, useMediaQuery } from './use-media-query.ts'

const changeListeners = new Set<() => void>()
const subscribeToChanges = (onChange: () => void) => {
  changeListeners.add(onChange)
  return () => changeListeners.delete(onChange)
}
const readClassicPreference = () => readStoredValue('classic') === 'on'

/** Returns true for the classic view, in which a detail replaces its list at any width. */
export const useClassicView = (): boolean => useSyncExternalStore(subscribeToChanges, readClassicPreference)

export function setClassicView(isEnabled: boolean): void {
  writeStoredValue('classic', isEnabled ? 'on' : null)
  for (const onChange of changeListeners) onChange()
}

/** Returns true if details are shown next to their list. */
export function useSideBySide(): boolean {
  const isWideEnough = useMediaQuery(sideBySideQuery)
  return !useClassicView() && isWideEnough
}
