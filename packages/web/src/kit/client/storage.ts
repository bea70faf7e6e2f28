/** Storage that is permanent, or cleared when the window is closed. */
type StorageArea = 'localStorage' | 'sessionStorage'

/** Reads a value from browser storage. Returns null if it is not set or storage is disabled. */
export function readStoredValue(key: string, storageArea: StorageArea = 'localStorage'): string | null {
  try {
    return window[storageArea].getItem(`monitor.${key}`)
  } catch {
    return null
  }
}

/** Stores a value; null removes it. */
export function writeStoredValue(key: string, value: string | null, storageArea: StorageArea = 'localStorage'): void {
  try {
    if (value === null) window[storageArea].removeItem(`monitor.${key}`)
    else window[storageArea].setItem(`monitor.${key}`, value)
  } catch {
    // Storage is disabled: the choice lasts until the page is closed.
  }
}
