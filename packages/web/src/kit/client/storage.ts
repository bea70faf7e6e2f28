/** Until it is taken back, or until the window is closed. */
type Where = 'localStorage' | 'sessionStorage'

/** What the browser keeps for this person. Storage may be switched off: then nothing is kept and nothing fails. */
export function readStored(key: string, where: Where = 'localStorage'): string | null {
  try {
    return window[where].getItem(`monitor.${key}`)
  } catch {
    return null
  }
}

/** Keeps a value, or forgets it when it is null. */
export function writeStored(key: string, value: string | null, where: Where = 'localStorage'): void {
  try {
    if (value === null) window[where].removeItem(`monitor.${key}`)
    else window[where].setItem(`monitor.${key}`, value)
  } catch {
    // Not kept; the choice lasts until the page is left.
  }
}
