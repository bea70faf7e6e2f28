import type { GateReport } from '../gate.ts'

export type { Environment } from './github-event.ts'

/** Result of a gate. `name` tells its comment from those of other gates of the same request. */
export type PublishedGate = { gateReport: GateReport; markdown: string; name: string }

/**
 * Text of at most a number of characters that ends with the link to the run. It is cut between lines: half of a line could lose the
 * end of its code, in which texts of pages stand.
 */
export function cutText(text: string, maxLength: number, ending: string): string {
  if (text.length + ending.length <= maxLength) return text + ending
  const shortText = text.slice(0, maxLength - ending.length - 40)
  return `${shortText.slice(0, shortText.lastIndexOf('\n') + 1)}\n(shortened)\n${ending}`
}
