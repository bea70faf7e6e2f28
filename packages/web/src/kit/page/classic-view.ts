import { useSyncExternalStore } from 'react'
import { readStoredValue, writeStoredValue } from '../client/storage.ts'
import { besides, useMedia } from './use-media.ts'

const listeners = new Set<() => void>()
const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
const isClassic = () => readStoredValue('classic') === 'on'

/** The classic view: a detail takes the place of its list, however wide the window is. */
export const useClassic = (): boolean => useSyncExternalStore(subscribe, isClassic)

/** Keeps the choice in this browser. */
export function setClassic(on: boolean): void {
  writeStoredValue('classic', on ? 'on' : null)
  for (const changed of listeners) changed()
}

/** Whether a detail is beside its list now. */
export function useBeside(): boolean {
  const hasRoom = useMedia(besides)
  return !useClassic() && hasRoom
}
