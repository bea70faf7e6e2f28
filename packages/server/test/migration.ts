import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { Migrations, ServiceSchema } from '../src/kit/database.ts'
import { accountMigrations } from '../src/migrations/account.ts'
import { idpMigrations } from '../src/migrations/idp.ts'
import { monitorMigrations } from '../src/migrations/monitor.ts'

export const migrationsOf: Readonly<Record<ServiceSchema, Migrations>> = {
  monitor: monitorMigrations,
  account: accountMigrations,
  idp: idpMigrations,
}

/** What a migration that looks at rows is shown, so that what it does with them is part of its fingerprint too. */
const shown: Readonly<Record<string, readonly object[]>> = {
  'monitor 0009-pdf-ua-fingerprint': [
    {
      rules: { standard: 'wcag22aa', bestPractices: true, experimental: false },
      release: '4.12.1',
      hash: 'a',
    },
  ],
}

/** The statements of a migration, as the driver would send them. */
async function statementsOf(name: string, migration: Migrations[string]): Promise<string[]> {
  const statements: string[] = []
  const connection: DatabaseConnection = {
    executeQuery: (query: CompiledQuery) => {
      const text = query.sql.replaceAll(/\s+/g, ' ').trim()
      statements.push(JSON.stringify([text, query.parameters]))
      return Promise.resolve({ rows: /^select/i.test(text) ? ([...(shown[name] ?? [])] as never[]) : [] })
    },
    streamQuery: () => {
      throw new Error('A migration streams nothing')
    },
  }
  class Recorder extends DummyDriver {
    override acquireConnection = () => Promise.resolve(connection)
  }
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Recorder(),
      createIntrospector: (own) => new PostgresIntrospector(own),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  await migration!.up(db)
  return statements
}

/** A sha256 of what each migration does, by schema and name. */
export async function fingerprints(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [schema, migrations] of Object.entries(migrationsOf))
    for (const [name, migration] of Object.entries(migrations)) {
      const statements = await statementsOf(`${schema} ${name}`, migration)
      found[`${schema} ${name}`] = createHash('sha256').update(statements.join('\n')).digest('hex')
    }
  return found
}
