import { expect, test } from 'vitest'
import { isGraphqlQuery } from './graphql.ts'

const body = (query: unknown, more: object = {}) => JSON.stringify({ query, ...more })

test.each([
  ['a query', body('query Pages { pages { id } }')],
  ['a short query', body('{ pages(first: 3) { id } }')],
  ['a query and its fragment', body('query { page { ...Parts } } fragment Parts on Page { title }')],
  ['the word in a string', body('{ find(text: "mutation { x }") { id } }')],
  ['the word in a block string', body('{ find(text: """a "mutation\n { x } \\""" mutation""") { id } }')],
  ['the word in a comment', body('# mutation { x }\n{ pages { id } }')],
  ['the word as a field and an argument', body('query ($mutation: ID) { mutation(subscription: $mutation) { id } }')],
  ['a batch of queries', `[${body('{ a }')}, ${body('{ b }')}]`],
])('%s only reads', (_, text) => expect(isGraphqlQuery(text)).toBe(true))

test.each([
  ['a mutation', body('mutation { remove(id: 1) { id } }')],
  ['a mutation after a query', body('query A { a } mutation B { b }', { operationName: 'A' })],
  ['a mutation after a comment that ends', body('# query\rmutation { b }')],
  ['a mutation behind a string that is not closed', body('query ($a: String = "x\n) { a }\nmutation { b }')],
  ['a subscription', body('subscription { changes { id } }')],
  ['a batch with a mutation', `[${body('{ a }')}, ${body('mutation { b }')}]`],
  ['an empty batch', '[]'],
  ['a stored query', JSON.stringify({ extensions: { persistedQuery: { sha256Hash: 'a' } } })],
  ['brackets that do not match', body('{ a } } mutation { b')],
  ['no document', body(7)],
  ['a form', 'query={a}'],
  ['no body', null],
])('%s may change something', (_, text) => expect(isGraphqlQuery(text)).toBe(false))

test('hostile documents are read in linear time', () => {
  const startedAt = performance.now()
  for (const piece of ['"\\', '"""', '"a\n', '#', '{', '"""\\"'])
    isGraphqlQuery(body(piece.repeat(Math.floor(99_000 / piece.length))))
  expect(performance.now() - startedAt).toBeLessThan(2000)
})
