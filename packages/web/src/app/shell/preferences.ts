import { useSyncExternalStore } from 'react'
import { readStoredValue, writeStoredValue } from '../../kit/client/storage.ts'

export type Theme = 'system' | 'light' | 'dark'
export type Density = 'comfortable' | 'compact'
const listeners = new Set<() => void>()
const root = document.documentElement

function set(name: 'theme' | 'density', value: string | null): void {
  // Suspends transitions for the frame in which every color changes.
  root.dataset['switching'] = ''
  if (value === null) delete root.dataset[name]
  else root.dataset[name] = value
  requestAnimationFrame(() => requestAnimationFrame(() => delete root.dataset['switching']))
  writeStoredValue(name, value)
  for (const changed of listeners) changed()
}

export const setTheme = (theme: Theme) => set('theme', theme === 'system' ? null : theme)
export const setDensity = (density: Density) => set('density', density === 'compact' ? density : null)

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
const storedTheme = (): Theme => {
  const theme = root.dataset['theme'] ?? readStoredValue('theme')
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}
export const useTheme = (): Theme => useSyncExternalStore(subscribe, storedTheme)
export const useDensity = (): Density =>
  useSyncExternalStore(subscribe, () => (root.dataset['density'] === 'compact' ? 'compact' : 'comfortable'))
