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
