import type { Severity } from '../ruleset/schema.ts'
import type { Target } from './schema.ts'

/** How a target reads for people: selectors through frames and shadow roots, outermost first. */
export const selectorOf = (target: Target): string =>
  target.map((step) => (typeof step === 'string' ? step : step.join(' >>> '))).join(' | ')

/** The level of a result in SARIF, which allows others than "none" for failures only. */
export const sarifLevels: Readonly<Record<Severity, string>> = {
  critical: 'error',
  serious: 'error',
  moderate: 'warning',
  minor: 'note',
  'needs review': 'none',
}
