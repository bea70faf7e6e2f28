import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'

/** An entry, the number of entries after it in the list that only repeat it, and the rules of all of them. */
export type FoldedEntry<Entry> = { entry: Entry; repeatCount: number; rules: readonly string[] }

const isSameSecond = (a: AuditEntry, b: AuditEntry): boolean => a.at.slice(0, 19) === b.at.slice(0, 19)
const isWithinDay = (a: AuditEntry, b: AuditEntry): boolean => Math.abs(Date.parse(a.at) - Date.parse(b.at)) < 86_400_000
/** Returns true if two requests from one place did the same with the same values in one second. Sign-ins of one user: within a day; refused ones stay apart. */
const isRepeatedRequest = (a: AuditEntry, b: AuditEntry): boolean =>
  (a.action === 'signed-in' ? isWithinDay(a, b) : isSameSecond(a, b)) &&
  a.address === b.address &&
  a.keyId === b.keyId &&
  JSON.stringify([a.before, a.after]) === JSON.stringify([b.before, b.after]) &&
  (a.noun !== 'sign-in' || a.subject === b.subject)
const repeats = (a: AuditEntry, b: AuditEntry): boolean =>
  a.requestId !== null &&
  b.requestId !== null &&
  (a.requestId === b.requestId || isRepeatedRequest(a, b)) &&
  (['actor', 'action', 'noun', 'scanId'] as const).every((field) => a[field] === b[field])

/** Folds consecutive entries that did the same to objects of one kind, such as pages of an upload: of one request or second, and sign-ins within a day. */
export function foldEntries<Entry extends AuditEntry>(entries: readonly Entry[]): FoldedEntry<Entry>[] {
  const folded: FoldedEntry<Entry>[] = []
  for (const entry of entries) {
    const last = folded.at(-1)
    if (last && repeats(last.entry, entry)) {
      last.repeatCount++
      last.rules = [...new Set([...last.rules, ...(entry.rules ?? [])])]
    } else folded.push({ entry, repeatCount: 0, rules: entry.rules ?? [] })
  }
  return folded
}
