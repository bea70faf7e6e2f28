import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { accountApi } from '@clearway/contract/account/api.ts'
import type { FastifyInstance } from 'fastify'
import type { AccountTables } from '../account/database.ts'
import { termsWords } from '../account/member/terms/model.ts'
import { memberHandlers } from '../account/member/routes.ts'
import { termsRoutes } from '../account/member/terms/routes.ts'
import type { DirectoryDeps, MemberDeps } from '../account/member/service.ts'
import type { ProviderEndpoints } from '../account/member/sign-in/service.ts'
import { noticeHandlers } from '../account/notice/routes.ts'
import { getAccountSecret } from '../account/notice/service.ts'
import { teamHandlers } from '../account/team/routes.ts'
import type { TeamDeps } from '../account/team/service.ts'
import type { Config } from '../config.ts'
import { migrate, openDatabase } from '../kit/database.ts'
import type { Caller, Refusal } from '../kit/http/answer.ts'
import { authorizeByRole, type Guard, registerEndpoints } from '../kit/http/register.ts'
import type { LogFunction } from '../kit/log.ts'
import { accountMigrations } from '../migrations/account.ts'

export type AccountRoleDeps = {
  config: Config
  databaseUrl: string
  publicUrl: string
  identify: Guard['identify']
  verify: (token: string) => Promise<Caller | Refusal>
  provider: () => Promise<ProviderEndpoints>
  onAgreed: MemberDeps['onAgreed']
  directory: DirectoryDeps['directory']
  log: LogFunction
  onTeams: TeamDeps['onTeams']
}

/** Authorizes people by their role; the product itself may only read teams with their members. */
const authorizeAccountCall: Guard['authorize'] = (call, caller) =>
  caller?.service && call.path === accountApi.teamsByIds.path ? Promise.resolve({ subject: null }) : authorizeByRole(call, caller)

/** The embedded account service: its own tables and URLs, separate from the monitor. */
export async function startAccount(app: FastifyInstance, deps: AccountRoleDeps): Promise<{ stop: () => Promise<void> }> {
  const { config, publicUrl } = deps
  const connectionCount = Math.min(5, config.CLEARWAY_DATABASE_CONNECTIONS)
  const accountDb = openDatabase<AccountTables>(deps.databaseUrl, { schema: 'account', connections: connectionCount })
  await migrate(accountDb, 'account', accountMigrations, deps.log)
  const termsText = config.CLEARWAY_TERMS_FILE ? await readFile(config.CLEARWAY_TERMS_FILE, 'utf8') : null
  const termsVersion = createHash('sha256')
    .update((termsText ?? termsWords.en.terms).trim())
    .digest('hex')
    .slice(0, 12)
  const termsUrl = `${publicUrl}/axe-account/terms`
  const termsOfUse = { text: termsText, version: termsVersion, required: config.CLEARWAY_TERMS_REQUIRED, url: termsUrl }
  const productName = config.CLEARWAY_PRODUCT_NAME
  const { onAgreed, onTeams, directory } = deps
  const log = (message: string) => deps.log('warn', message)
  const serviceDeps = { db: accountDb, terms: termsOfUse, organisation: productName, onAgreed, onTeams, directory, log }
  const accountHandlers = { ...memberHandlers(serviceDeps), ...teamHandlers(serviceDeps), ...noticeHandlers(serviceDeps) }
  registerEndpoints(app, {
    table: accountApi,
    handlers: accountHandlers,
    guard: { identify: deps.identify, authorize: authorizeAccountCall },
  })
  const signInOptions = {
    provider: deps.provider,
    client: config.CLEARWAY_ACCOUNT_CLIENT,
    callback: `${termsUrl}/callback`,
    verify: deps.verify,
    secret: await getAccountSecret({ db: accountDb }),
  }
  await app.register((pages, _options, finishRegistration) => {
    termsRoutes(pages, { ...serviceDeps, signIn: signInOptions, publicUrl, productName })
    finishRegistration()
  })
  return { stop: () => accountDb.destroy() }
}
