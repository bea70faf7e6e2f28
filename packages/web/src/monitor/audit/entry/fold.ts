import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'

/** An entry, and the number of entries after it in the list that only repeat it. */
export type FoldedEntry<Entry> = { entry: Entry; repeatCount: number }

const repeats = (a: AuditEntry, b: AuditEntry): boolean =>
  a.requestId !== null && (['requestId', 'actor', 'action', 'noun', 'scanId'] as const).every((field) => a[field] === b[field])

/** Folds consecutive entries of one request that did the same to objects of one kind, such as pages of an upload. */
export function foldEntries<Entry extends AuditEntry>(entries: readonly Entry[]): FoldedEntry<Entry>[] {
  const folded: FoldedEntry<Entry>[] = []
  for (const entry of entries) {
    const last = folded.at(-1)
    if (last && repeats(last.entry, entry)) last.repeatCount++
    else folded.push({ entry, repeatCount: 0 })
  }
  return folded
}
