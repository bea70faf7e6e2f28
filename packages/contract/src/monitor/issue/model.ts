import type { Severity } from '../ruleset/schema.ts'
import type { Target } from './schema.ts'

/** Formats a target for users: selectors through frames and shadow roots, outermost first. */
export const formatSelector = (target: Target): string =>
  target.map((targetStep) => (typeof targetStep === 'string' ? targetStep : targetStep.join(' >>> '))).join(' | ')

/** SARIF level by severity. SARIF requires "none" for results that are not failures. */
export const sarifLevels: Readonly<Record<Severity, string>> = {
  critical: 'error',
  serious: 'error',
  moderate: 'warning',
  minor: 'note',
  'needs review': 'none',
}

/**
 * Splits the key of an element: its location, and the traits after a tab, each a letter for its kind and a hash. Keys of uploads,
 * PDFs and older versions have no traits, which is null.
 */
export function splitElementKey(elementKey: string): { location: string; traits: string[] | null } {
  const tabIndex = elementKey.lastIndexOf('\t')
  if (tabIndex < 0) return { location: elementKey, traits: null }
  return {
    location: elementKey.slice(0, tabIndex),
    traits: elementKey
      .slice(tabIndex + 1)
      .split('.')
      .filter(Boolean),
  }
}

/** Steps through frames in the location of an element; those through shadow roots have another sign. */
export const frameSeparator = ' >> '

/** Returns true if an element may be inside a frame. Empty keys are of old versions. */
export const isInFrame = (elementKey: string): boolean =>
  elementKey === '' || splitElementKey(elementKey).location.includes(frameSeparator)
