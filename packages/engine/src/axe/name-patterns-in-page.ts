// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/** Patterns of names that tell no element. */
export type NamePatterns = {
  /** Ids that no person gave. */
  generatedPatterns: readonly RegExp[]
  /** The same by the method of keys without traits. */
  previousPatterns: readonly RegExp[]
  /** Class words of states. */
  stateWord: RegExp
}

/** Creates the patterns of generated ids and of states. */
export function makeNamePatterns(): NamePatterns {
  // A number in an id may be a counter, which shifts with each component inserted before it, so no such id is an anchor.
  const generatedPatterns = [
    /\d/,
    /[0-9a-f]{8,}/i,
    // Ids of React's `useId`, whose counters may have no digit.
    /(^|[^a-z]):?r[a-z]*:/i,
    /«r[a-z]*»|_r_[a-z]*_/i,
    /^(radix|headlessui|react-aria|mantine|ember|yui|downshift|floating-ui|css|sc|svelte|jss|mui|uid|tmp|gen)[-_:]/i,
    /__(?=[a-z]*[A-Z])[a-zA-Z]{5,}$/,
    // Random letters: words without vowels, or letters that change their case at random.
    /(^|[^a-z])[bcdfghjklmnpqrstvwxz]{6,}([^a-z]|$)|[bcdfghjklmnpqrstvwxz]{7,}/i,
    /[a-z][A-Z]{1,2}[a-z]{1,2}[A-Z]{1,2}[a-z]{1,2}[A-Z]/,
  ]
  const previousPatterns = [
    /\d{4,}|[0-9a-fA-F]{8,}|^:?r[0-9a-z]*:?$|:r[0-9a-z]+:|^radix-|^ember\d+|^(css|sc)-|__[0-9a-zA-Z]{5,}$/,
    /^(mui|headlessui|react-aria|ui-id|yui|gen|uid|auto|tmp)[-_:]?\d*/i,
  ]
  // Words of states move from element to element.
  const stateWord =
    /^(is|has|ng|js|v)-|^(active|current|selected|open|opened|closed|show|shown|hide|hidden|visible|disabled|enabled|focus|focused|hover|pressed|checked|expanded|collapsed|collapse|first|last|odd|even|in|on|off)$/i
  return { generatedPatterns, previousPatterns, stateWord }
}
