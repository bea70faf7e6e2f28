// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/** Patterns of names and attributes that tell no element. */
export type NamePatterns = {
  /** Ids that no person gave. */
  generatedPatterns: readonly RegExp[]
  /** The same by the method of keys without traits. */
  previousPatterns: readonly RegExp[]
  /** Class words of states. */
  stateWord: RegExp
  /** Attributes that hold ids, styles and states, or that other traits cover. */
  otherAttribute: RegExp
}

/** Creates the patterns of generated ids, of states, and of attributes that hold them. */
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
  const otherAttribute =
    /^(id|class|style|name|for|type|role|href|src|srcset|alt|title|placeholder|label|heading|value|tabindex|nonce|form|list|headers|lang|dir|hidden|slot|part|is)$|^(onmouse|aria-|data-v-|data-test|_ng|ng-|js)|state|active|select|open|expand|check|current|index|position|order|visible|status|popper|focus|swiper|slide|\d/i
  return { generatedPatterns, previousPatterns, stateWord, otherAttribute }
}
