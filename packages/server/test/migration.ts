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

export const migrationsBySchema: Readonly<Record<ServiceSchema, Migrations>> = {
  monitor: monitorMigrations,
  account: accountMigrations,
  idp: idpMigrations,
}

/** Rows for migrations that read data, so that their effect on them is part of the fingerprint, too. */
const sampleRows: Readonly<Record<string, readonly object[]>> = {
  'monitor 0009-pdf-ua-fingerprint': [
    { rules: { standard: 'wcag22aa', bestPractices: true, experimental: false }, release: '4.12.1', hash: 'a' },
  ],
}

/** Records the statements of a migration, as the driver would send them. */
async function recordStatements(name: string, migration: Migrations[string]): Promise<string[]> {
  const statements: string[] = []
  const connection: DatabaseConnection = {
    executeQuery: (query: CompiledQuery) => {
      const statementText = query.sql.replaceAll(/\s+/g, ' ').trim()
      statements.push(JSON.stringify([statementText, query.parameters]))
      return Promise.resolve({ rows: /^select/i.test(statementText) ? ([...(sampleRows[name] ?? [])] as never[]) : [] })
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
      createIntrospector: (introspectedDb) => new PostgresIntrospector(introspectedDb),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  await migration!.up(db)
  return statements
}

/** Returns a sha256 of each migration's statements, by schema and name. */
export async function computeFingerprints(): Promise<Record<string, string>> {
  const fingerprintByName: Record<string, string> = {}
  for (const [schema, migrations] of Object.entries(migrationsBySchema))
    for (const [name, migration] of Object.entries(migrations)) {
      const statements = await recordStatements(`${schema} ${name}`, migration)
      fingerprintByName[`${schema} ${name}`] = createHash('sha256').update(statements.join('\n')).digest('hex')
    }
  return fingerprintByName
}
