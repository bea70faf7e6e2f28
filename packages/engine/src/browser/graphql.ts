/** Longer documents are not read: a query that people wrote fits many times. */
const maxDocumentLength = 100_000

/** Strings and comments. One that does not end takes the rest of its line, a block string the rest of the document. */
const ignoredText = /"""(?:\\"""|[^])*?(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|#[^\n\r]*/gu

/** Returns the words of a document that are in no selection, variable list or argument; null if its brackets do not match. */
function listOuterWords(documentText: string): string[] | null {
  const outerWords: string[] = []
  let depth = 0
  for (const [token] of documentText.replaceAll(ignoredText, ' ').matchAll(/[{}()[\]]|[_A-Za-z][_0-9A-Za-z]*/gu))
    if ('{(['.includes(token)) depth += 1
    else if (!'})]'.includes(token)) {
      if (depth === 0) outerWords.push(token)
    } else if (--depth < 0) return null
  return depth === 0 ? outerWords : null
}

/**
 * Returns true if a GraphQL document has queries and fragments only, which change nothing (GraphQL, June 2018,
 * section 6.2). A name of an operation or fragment counts as a kind: a query that is named `mutation` is refused.
 */
function isReadingDocument(documentText: unknown): boolean {
  if (typeof documentText !== 'string' || documentText.length > maxDocumentLength) return false
  const outerWords = listOuterWords(documentText)
  if (outerWords === null || !documentText.includes('{')) return false
  return !outerWords.some((word) => word === 'mutation' || word === 'subscription')
}

/** Returns true if the body of a request has GraphQL queries only. Batches count as a whole; stored queries are unknown. */
export function isGraphqlQuery(bodyText: string | null): boolean {
  if (bodyText === null || bodyText.length > maxDocumentLength * 2) return false
  let body: unknown
  try {
    body = JSON.parse(bodyText)
  } catch {
    return false
  }
  const operations: unknown[] = Array.isArray(body) ? body : [body]
  return (
    operations.length > 0 &&
    operations.every(
      (operation) =>
        typeof operation === 'object' && operation !== null && isReadingDocument((operation as { query?: unknown }).query),
    )
  )
}
