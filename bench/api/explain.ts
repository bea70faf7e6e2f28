import { writeFileSync } from 'node:fs'
import pg from 'pg'

type Statement = { text: string; values: unknown[] }

/** Collects the statements that `work` sends to the database. */
async function collectStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const sentStatements: Statement[] = []
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [firstArgument, secondArgument] = args as [string | Statement, unknown[] | undefined]
    if (typeof firstArgument === 'string') sentStatements.push({ text: firstArgument, values: secondArgument ?? [] })
    else if (typeof firstArgument.text === 'string')
      sentStatements.push({ text: firstArgument.text, values: firstArgument.values ?? secondArgument ?? [] })
    return (query as (...queryArguments: unknown[]) => unknown).apply(this, args)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sentStatements.filter(({ text }) => /^\s*(with|select)/i.test(text))
}

/** Writes the query plans of each call, without costs: a lost index shows as a difference. */
export async function writePlans(
  url: string,
  file: string,
  calls: readonly { name: string; ask: () => Promise<unknown> }[],
): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=monitor -c jit=off' })
  await client.connect()
  const sections: string[] = []
  for (const { name, ask } of calls) {
    sections.push(`# ${name.trim()}`)
    for (const { text: statementText, values: parameters } of await collectStatements(ask)) {
      const { rows: planRows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${statementText}`, parameters)
      // Literal values would differ with every database.
      const plan = planRows.map((planRow) => planRow['QUERY PLAN'].replaceAll(/'[^']*'(::\w+(\[\])?)?/g, '?'))
      sections.push(plan.filter((planLine) => /->|Scan|Index Cond|^\S/.test(planLine)).join('\n'), '')
    }
  }
  await client.end()
  writeFileSync(file, `${sections.join('\n')}\n`)
}
