import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

const mark = '/* prepared */'

/**
 * A statement that each connection plans once, for one that takes long to plan. Its plan must not depend on its values: that of all
 * rows of a list as one JSON text, or of a row by its id.
 */
export const prepareOnce = <Row>(statement: RawBuilder<Row>): RawBuilder<Row> => sql<Row>`${sql.raw(mark)} ${statement}`

/** Names by text of statement: few, since their values are parameters. */
const names = new Map<string, string>()

function getName(text: string): string {
  const knownName = names.get(text)
  if (knownName !== undefined) return knownName
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}

/** The arguments of a query for the driver, which names a statement that is planned once. */
export function toPreparedQuery(args: readonly unknown[]): readonly unknown[] {
  const [text, values] = args
  if (typeof text !== 'string' || !text.startsWith(mark)) return args
  return [{ name: getName(text), text, values }]
}
