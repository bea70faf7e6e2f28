import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { TokenRules } from '../kit/http/token.ts'
import { openAccountCheck } from '../idp/account-version.ts'
import { loadKeys } from '../idp/keys.ts'
import { idpRoutes, type OnSignIn } from '../idp/routes.ts'
import { ensureAdmin, type FirstAdmin } from '../idp/service.ts'
import { sweepArtifacts } from '../idp/store.ts'
import type { Seal } from '../kit/seal.ts'
import type { IdpTables } from '../idp/table.ts'
import { migrate, openDatabase } from '../kit/database.ts'
import { idpMigrations } from '../migrations/idp.ts'

const sweepEveryMs = 15 * 60_000

export type IdpRole = {
  admin: FirstAdmin
  /** Whether an access token is of an account as it is now. */
  isCurrent: NonNullable<TokenRules['isCurrent']>
  stop: () => Promise<void>
}

/** Opens the identity provider's own part of the database, up to date. */
export async function openIdpDatabase(config: Config, databaseUrl: string): Promise<Kysely<IdpTables>> {
  const connections = Math.min(5, config.CLEARWAY_DATABASE_CONNECTIONS)
  const db = openDatabase<IdpTables>(databaseUrl, { schema: 'idp', connections })
  await migrate(db, 'idp', idpMigrations)
  return db
}

/** The embedded identity provider. */
export async function startIdp(
  app: FastifyInstance,
  deps: { config: Config; databaseUrl: string; publicUrl: string; seal: Seal; onSignIn: OnSignIn },
): Promise<IdpRole> {
  const { config, seal } = deps
  const db = await openIdpDatabase(config, deps.databaseUrl)
  const keys = await loadKeys({ db, seal })
  const file = join(config.CLEARWAY_DATA, 'first-password')
  const admin = await ensureAdmin({ db }, { setting: config.CLEARWAY_ADMIN_PASSWORD, file })
  await idpRoutes(app, {
    db,
    seal,
    keys,
    onSignIn: deps.onSignIn,
    options: {
      publicUrl: deps.publicUrl,
      productName: config.CLEARWAY_PRODUCT_NAME,
      client: config.CLEARWAY_OIDC_CLIENT,
      accountClient: config.CLEARWAY_ACCOUNT_CLIENT,
      resource: config.CLEARWAY_OIDC_RESOURCE,
      audience: config.CLEARWAY_OIDC_AUDIENCE,
      tokenSeconds: config.CLEARWAY_TOKEN_SECONDS,
      sessionSeconds: config.CLEARWAY_SESSION_MINUTES * 60,
    },
  })
  const sweep = setInterval(() => void sweepArtifacts({ db }).catch(() => undefined), sweepEveryMs)
  return {
    admin,
    isCurrent: openAccountCheck({ db }),
    stop: async () => {
      clearInterval(sweep)
      await db.destroy()
    },
  }
}
