import { roles } from '@clearway/contract/kit/permission.ts'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { PasswordFault } from '../idp/password-rule.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'
import type { AccountEvent } from '../idp/account/service.ts'
import type { OwnDeps } from '../idp/own/service.ts'
import { type AccountCheck, openAccountCheck, type ServiceClient } from '../idp/account-version.ts'
import { loadKeys } from '../idp/keys.ts'
import { realmPath } from '../idp/provider.ts'
import { idpRoutes } from '../idp/routes.ts'
import { partyOf } from '../idp/factor/passkey.ts'
import { ensureAdmin } from '../idp/service.ts'
import type { OnSignIn } from '../idp/sign-in/routes.ts'
import { setupLink } from '../idp/ticket/service.ts'
import type { Guard } from '../kit/http/register.ts'
import { openMailServer } from '../kit/mail.ts'
import { endWeakSessions, sweepArtifacts } from '../idp/store.ts'
import type { Seal } from '../kit/seal.ts'
import type { IdpTables } from '../idp/table.ts'
import { migrate, openDatabase } from '../kit/database.ts'
import { idpMigrations } from '../migrations/idp.ts'

const sweepEveryMs = 15 * 60_000

export type IdpRole = {
  /** The link that makes the first administrator; null when there is one. */
  setup: string | null
  /** Whether an access token is of an account as it is now. */
  isCurrent: AccountCheck['isCurrent']
  stop: () => Promise<void>
}

/** The product's own client. Its secret at the embedded provider is known to whoever has the secret key. */
export const serviceClientOf = (config: Config, seal: Seal): ServiceClient => ({
  id: config.CLEARWAY_SERVICE_CLIENT,
  secret: config.CLEARWAY_SERVICE_SECRET ?? seal.derived('the client of the product itself'),
})

/** Opens the identity provider's own part of the database, up to date. */
export async function openIdpDatabase(config: Config, databaseUrl: string): Promise<Kysely<IdpTables>> {
  const connections = Math.min(5, config.CLEARWAY_DATABASE_CONNECTIONS)
  const db = openDatabase<IdpTables>(databaseUrl, { schema: 'idp', connections })
  await migrate(db, 'idp', idpMigrations)
  return db
}

export type IdpDeps = {
  config: Config
  databaseUrl: string
  publicUrl: string
  seal: Seal
  onSignIn: OnSignIn
  /** Called after each change of an account is stored. */
  onAccount: (event: AccountEvent) => Promise<void>
  identify: Guard['identify']
  log: (message: string) => void
}

const optionsOf = ({ config, publicUrl, seal }: IdpDeps) => ({
  publicUrl,
  productName: config.CLEARWAY_PRODUCT_NAME,
  client: config.CLEARWAY_OIDC_CLIENT,
  accountClient: config.CLEARWAY_ACCOUNT_CLIENT,
  service: serviceClientOf(config, seal),
  resource: config.CLEARWAY_OIDC_RESOURCE,
  audience: config.CLEARWAY_OIDC_AUDIENCE,
  tokenSeconds: config.CLEARWAY_TOKEN_SECONDS,
  sessionSeconds: config.CLEARWAY_SESSION_MINUTES * 60,
})

const mailServerOf = ({
  CLEARWAY_SMTP_URL: url,
  CLEARWAY_PRODUCT_NAME: product,
  CLEARWAY_MAIL_FROM: sender,
}: Config) => (url === null ? null : openMailServer({ url, product, sender }))

/** Judges tokens by the accounts of the embedded provider, which another process serves. */
export async function watchAccounts(
  config: Config,
  { databaseUrl, seal }: { databaseUrl: string; seal: Seal },
): Promise<Pick<IdpRole, 'isCurrent' | 'stop'>> {
  const db = await openIdpDatabase(config, databaseUrl)
  const { isCurrent } = openAccountCheck({ db, service: serviceClientOf(config, seal) })
  return { isCurrent, stop: () => db.destroy() }
}

const adminFaults: Readonly<Record<PasswordFault, string>> = {
  'too-short': 'it is too short',
  'too-long': 'it is too long',
  'common-password': 'it is among the first that attackers try',
  'personal-password': 'it contains the name of the user',
}

/** Gives the user `admin` the password of the settings, unless there is one. It has to be as strong as everybody's. */
async function giveAdminPassword(db: Kysely<IdpTables>, password: string): Promise<void> {
  const fault = await ensureAdmin({ db }, password)
  if (fault) throw new ClusterError(`CLEARWAY_ADMIN_PASSWORD cannot be used: ${adminFaults[fault]}.`)
}

/** The embedded identity provider. */
export async function startIdp(app: FastifyInstance, deps: IdpDeps): Promise<IdpRole> {
  const { config, seal, publicUrl } = deps
  const db = await openIdpDatabase(config, deps.databaseUrl)
  const keys = await loadKeys({ db, seal })
  const check = openAccountCheck({ db, service: serviceClientOf(config, seal) })
  const mail = mailServerOf(config)
  const accounts: OwnDeps = {
    db,
    seal,
    adminsNeedSecond: config.CLEARWAY_ADMIN_SECOND_FACTOR,
    linkTo: (page, token) => `${publicUrl}${realmPath}/${page}?token=${token}`,
    product: config.CLEARWAY_PRODUCT_NAME,
    party: partyOf(publicUrl, config.CLEARWAY_PRODUCT_NAME),
    sendMail: mail && mail.send,
    mailLanguage: config.CLEARWAY_MAIL_LANGUAGE,
    onAccount: async (event) => {
      check.forget('account' in event ? event.account.id : event.id)
      await deps.onAccount(event)
    },
    log: deps.log,
  }
  if (config.CLEARWAY_ADMIN_PASSWORD) await giveAdminPassword(db, config.CLEARWAY_ADMIN_PASSWORD)
  const setup = await setupLink(accounts)
  if (config.CLEARWAY_ADMIN_SECOND_FACTOR) await endWeakSessions({ db }, roles.admin.claim)
  const { onSignIn, identify } = deps
  const { isCurrent } = check
  await idpRoutes(app, { db, seal, keys, onSignIn, identify, isCurrent, accounts, options: optionsOf(deps) })
  const sweep = setInterval(() => void sweepArtifacts({ db }).catch(() => undefined), sweepEveryMs)
  return {
    setup,
    isCurrent: check.isCurrent,
    stop: async () => {
      clearInterval(sweep)
      mail?.close()
      await db.destroy()
    },
  }
}
