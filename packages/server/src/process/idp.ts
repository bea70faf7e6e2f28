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
import { countSignIn, exportSignInMetrics } from '../idp/measure.ts'
import { realmPath } from '../idp/realm.ts'
import { mountIdpRoutes } from '../idp/routes.ts'
import { findRelyingParty } from '../idp/factor/passkey.ts'
import { ensureAdmin } from '../idp/service.ts'
import type { OnSignIn } from '../idp/sign-in/routes.ts'
import { createSetupLink } from '../idp/ticket/service.ts'
import type { Guard } from '../kit/http/register.ts'
import type { LogFunction } from '../kit/log.ts'
import { createMailClient } from '../kit/mail.ts'
import { endWeakSessions, sweepArtifacts } from '../idp/store.ts'
import type { Seal } from '../kit/seal.ts'
import type { IdpTables } from '../idp/table.ts'
import { migrate, openDatabase } from '../kit/database.ts'
import { idpMigrations } from '../migrations/idp.ts'

const sweepIntervalMs = 15 * 60_000

export type IdpRole = {
  /** Link for creating the first administrator; null when there is one. */
  setup: string | null
  /** Checks that an access token belongs to an account in its current state. */
  isCurrent: AccountCheck['isCurrent']
  stop: () => Promise<void>
}

/** The product's own client. Its secret at the embedded provider is derived from the secret key. */
export const getServiceClient = (config: Config, seal: Seal): ServiceClient => ({
  id: config.CLEARWAY_SERVICE_CLIENT,
  secret: config.CLEARWAY_SERVICE_SECRET ?? seal.derived('the client of the product itself'),
})

/** Opens the identity provider's schema, migrated. */
export async function openIdpDatabase(config: Config, databaseUrl: string, log?: LogFunction): Promise<Kysely<IdpTables>> {
  const connectionCount = Math.min(5, config.CLEARWAY_DATABASE_CONNECTIONS)
  const idpDb = openDatabase<IdpTables>(databaseUrl, { schema: 'idp', connections: connectionCount })
  await migrate(idpDb, 'idp', idpMigrations, log)
  return idpDb
}

export type IdpDeps = {
  config: Config
  databaseUrl: string
  publicUrl: string
  seal: Seal
  onSignIn: OnSignIn
  onAccount: (event: AccountEvent) => Promise<void>
  identify: Guard['identify']
  log: LogFunction
}

const getProviderOptions = ({ config, publicUrl, seal }: IdpDeps) => ({
  publicUrl,
  productName: config.CLEARWAY_PRODUCT_NAME,
  client: config.CLEARWAY_OIDC_CLIENT,
  accountClient: config.CLEARWAY_ACCOUNT_CLIENT,
  service: getServiceClient(config, seal),
  resource: config.CLEARWAY_OIDC_RESOURCE,
  audience: config.CLEARWAY_OIDC_AUDIENCE,
  tokenSeconds: config.CLEARWAY_TOKEN_SECONDS,
  sessionSeconds: config.CLEARWAY_SESSION_MINUTES * 60,
})

const openConfiguredMail = ({
  CLEARWAY_SMTP_URL: smtpUrl,
  CLEARWAY_PRODUCT_NAME: productName,
  CLEARWAY_MAIL_FROM: mailSender,
}: Config) => (smtpUrl === null ? null : createMailClient({ url: smtpUrl, product: productName, sender: mailSender }))

/** Checks tokens against the accounts of the embedded provider in another process. */
export async function watchAccounts(
  config: Config,
  { databaseUrl, seal, log }: { databaseUrl: string; seal: Seal; log: LogFunction },
): Promise<Pick<IdpRole, 'isCurrent' | 'stop'>> {
  const idpDb = await openIdpDatabase(config, databaseUrl, log)
  const { isCurrent: isAccountCurrent } = openAccountCheck({ db: idpDb, service: getServiceClient(config, seal) })
  return { isCurrent: isAccountCurrent, stop: () => idpDb.destroy() }
}

const passwordFaultTexts: Readonly<Record<PasswordFault, string>> = {
  'too-short': 'it is too short',
  'too-long': 'it is too long',
  'common-password': 'it is a common password',
  'personal-password': 'it contains the name of the user',
}

/** Sets the configured password of the user `admin`, unless it has one. The rules for new passwords apply. */
async function setAdminPassword(db: Kysely<IdpTables>, password: string): Promise<void> {
  const passwordFault = await ensureAdmin({ db }, password)
  if (passwordFault) throw new ClusterError(`CLEARWAY_ADMIN_PASSWORD cannot be used: ${passwordFaultTexts[passwordFault]}.`)
}

export async function startIdp(app: FastifyInstance, deps: IdpDeps): Promise<IdpRole> {
  const { config, seal, publicUrl } = deps
  exportSignInMetrics()
  const idpDb = await openIdpDatabase(config, deps.databaseUrl, deps.log)
  const signingKeys = await loadKeys({ db: idpDb, seal })
  const accountCheck = openAccountCheck({ db: idpDb, service: getServiceClient(config, seal) })
  const mailServer = openConfiguredMail(config)
  const ownAccountDeps: OwnDeps = {
    db: idpDb,
    seal,
    adminsRequireSecondFactor: config.CLEARWAY_ADMIN_SECOND_FACTOR,
    buildLink: (page, token) => `${publicUrl}${realmPath}/${page}?token=${token}`,
    product: config.CLEARWAY_PRODUCT_NAME,
    party: findRelyingParty(publicUrl, config.CLEARWAY_PRODUCT_NAME),
    sendMail: mailServer && mailServer.send,
    mailLanguage: config.CLEARWAY_MAIL_LANGUAGE,
    onAccount: async (event) => {
      accountCheck.forget('account' in event ? event.account.id : event.id)
      await deps.onAccount(event)
    },
    log: (message) => deps.log('warn', message),
  }
  if (config.CLEARWAY_ADMIN_PASSWORD) await setAdminPassword(idpDb, config.CLEARWAY_ADMIN_PASSWORD)
  const setupUrl = await createSetupLink(ownAccountDeps)
  if (config.CLEARWAY_ADMIN_SECOND_FACTOR) await endWeakSessions({ db: idpDb }, roles.admin.claim)
  const { identify } = deps
  const { isCurrent: isAccountCurrent } = accountCheck
  await mountIdpRoutes(app, {
    db: idpDb,
    seal,
    keys: signingKeys,
    onSignIn: (attempt) => {
      countSignIn(attempt)
      return deps.onSignIn(attempt)
    },
    identify,
    isCurrent: isAccountCurrent,
    accounts: ownAccountDeps,
    options: getProviderOptions(deps),
  })
  const sweepTimer = setInterval(() => void sweepArtifacts({ db: idpDb }).catch(() => undefined), sweepIntervalMs)
  return {
    setup: setupUrl,
    isCurrent: accountCheck.isCurrent,
    stop: async () => {
      clearInterval(sweepTimer)
      mailServer?.close()
      await idpDb.destroy()
    },
  }
}
