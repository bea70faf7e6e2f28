/** Somebody in a comment, by id: a new name shows in old comments too. */
const mention = /@\[([^\s[\]]{1,500})\]/g
export const mentionOf = (id: string): string => `@[${id}]`

/** The ids that a comment mentions, each once. */
export const mentionedIn = (text: string): string[] => [
  ...new Set([...text.matchAll(mention)].map(([, id]) => id!)),
]

/** A comment in parts: plain text, and the ids of those who are mentioned. What looks like a mention and is none stays text. */
export function partsOf(text: string, known: ReadonlySet<string>): (string | { id: string })[] {
  const parts: (string | { id: string })[] = []
  let from = 0
  for (const found of text.matchAll(mention)) {
    const id = found[1]!
    if (!known.has(id)) continue
    parts.push(text.slice(from, found.index), { id })
    from = found.index + found[0].length
  }
  return [...parts, text.slice(from)].filter((part) => part !== '')
}
