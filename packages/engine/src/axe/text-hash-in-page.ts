// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/**
 * Short hash of a text.
 * @source FNV-1a, with the 32-bit offset basis and prime
 */
export function hashText(text: string): string {
  let hash = 0x811c9dc5
  for (let charIndex = 0; charIndex < text.length; charIndex++) hash = Math.imul(hash ^ text.charCodeAt(charIndex), 0x01000193)
  return (hash >>> 0).toString(36)
}
