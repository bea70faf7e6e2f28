import { writeFileSync } from 'node:fs'
import pg from 'pg'

type Statement = { text: string; values: unknown[] }

/** Subscribes to every statement that `work` sends to the database. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args as [string | Statement, unknown[] | undefined]
    if (typeof first === 'string') sent.push({ text: first, values: second ?? [] })
    else if (typeof first.text === 'string')
      sent.push({ text: first.text, values: first.values ?? second ?? [] })
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent.filter(({ text }) => /^\s*(with|select)/i.test(text))
}

/** How the database goes about the statements of each call, without costs: a lost index shows as a difference. */
export async function writePlans(
  url: string,
  file: string,
  calls: readonly { name: string; ask: () => Promise<unknown> }[],
): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=monitor -c jit=off' })
  await client.connect()
  const parts: string[] = []
  for (const { name, ask } of calls) {
    parts.push(`# ${name.trim()}`)
    for (const { text, values } of await statementsOf(ask)) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values)
      // Values would change with every database.
      const plan = rows.map((row) => row['QUERY PLAN'].replaceAll(/'[^']*'(::\w+(\[\])?)?/g, '?'))
      parts.push(plan.filter((line) => /->|Scan|Index Cond|^\S/.test(line)).join('\n'), '')
    }
  }
  await client.end()
  writeFileSync(file, `${parts.join('\n')}\n`)
}
