/** A mention in a comment, by id, so that a renamed person is displayed correctly in old comments. */
const mentionPattern = /@\[([^\s[\]]{1,500})\]/g
export const formatMention = (id: string): string => `@[${id}]`

export const listMentionedIds = (text: string): string[] => [...new Set([...text.matchAll(mentionPattern)].map(([, id]) => id!))]

/** Splits a comment into plain text and the ids of mentioned people. Unknown ids stay text. */
export function splitComment(text: string, knownIds: ReadonlySet<string>): (string | { id: string })[] {
  const commentParts: (string | { id: string })[] = []
  let textStart = 0
  for (const mentionMatch of text.matchAll(mentionPattern)) {
    const mentionedId = mentionMatch[1]!
    if (!knownIds.has(mentionedId)) continue
    commentParts.push(text.slice(textStart, mentionMatch.index), { id: mentionedId })
    textStart = mentionMatch.index + mentionMatch[0].length
  }
  return [...commentParts, text.slice(textStart)].filter((commentPart) => commentPart !== '')
}
