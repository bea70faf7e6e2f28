import { useSyncExternalStore } from 'react'
import { readStoredValue, writeStoredValue } from '../../kit/client/storage.ts'

export type Theme = 'system' | 'light' | 'dark'
export type Density = 'comfortable' | 'compact'
const changeListeners = new Set<() => void>()
const rootElement = document.documentElement

function applyPreference(preferenceName: 'theme' | 'density', value: string | null): void {
  // Suspends transitions for the frame in which every color changes.
  rootElement.dataset['switching'] = ''
  if (value === null) delete rootElement.dataset[preferenceName]
  else rootElement.dataset[preferenceName] = value
  requestAnimationFrame(() => requestAnimationFrame(() => delete rootElement.dataset['switching']))
  writeStoredValue(preferenceName, value)
  for (const onChange of changeListeners) onChange()
}

export const setTheme = (theme: Theme) => applyPreference('theme', theme === 'system' ? null : theme)
export const setDensity = (density: Density) => applyPreference('density', density === 'compact' ? density : null)

const subscribeToChanges = (onChange: () => void) => {
  changeListeners.add(onChange)
  return () => changeListeners.delete(onChange)
}
const readStoredTheme = (): Theme => {
  const storedTheme = rootElement.dataset['theme'] ?? readStoredValue('theme')
  return storedTheme === 'light' || storedTheme === 'dark' ? storedTheme : 'system'
}
export const useTheme = (): Theme => useSyncExternalStore(subscribeToChanges, readStoredTheme)
export const useDensity = (): Density =>
  useSyncExternalStore(subscribeToChanges, () => (rootElement.dataset['density'] === 'compact' ? 'compact' : 'comfortable'))
