/** What the browser keeps for this person. Storage may be switched off: then nothing is kept and nothing fails. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(`monitor.${key}`)
  } catch {
    return null
  }
}

/** Keeps a value, or forgets it when it is null. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`monitor.${key}`)
    else localStorage.setItem(`monitor.${key}`, value)
  } catch {
    // Not kept; the choice lasts until the page is left.
  }
}
