import type { Target } from './schema.ts'

/** How a target reads for people: selectors through frames and shadow roots, outermost first. */
export const selectorOf = (target: Target): string =>
  target.map((step) => (typeof step === 'string' ? step : step.join(' >>> '))).join(' | ')
