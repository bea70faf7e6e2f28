import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

const preparedMark = '/* prepared */'

/**
 * Prepares a statement that takes long to plan: after five executions on a connection, PostgreSQL keeps one plan for all values.
 * Use it only where the best plan is the same for all values (a row by its id, or rows as one JSON text) and with the same settings
 * of the transaction.
 */
export const prepareOnce = <Row>(statement: RawBuilder<Row>): RawBuilder<Row> => sql<Row>`${sql.raw(preparedMark)} ${statement}`

/** Names of statements by their texts. There are few, since values are parameters. */
const names = new Map<string, string>()

function getName(text: string): string {
  const knownName = names.get(text)
  if (knownName !== undefined) return knownName
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}

/** Returns the arguments of a query for the driver. It prepares statements that have a name. */
export function toPreparedQuery(args: readonly unknown[]): readonly unknown[] {
  const [text, values] = args
  if (typeof text !== 'string' || !text.startsWith(preparedMark)) return args
  return [{ name: getName(text), text, values }]
}
