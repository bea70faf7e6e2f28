import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { accountApi } from '@clearway/contract/account/api.ts'
import type { FastifyInstance } from 'fastify'
import type { AccountTables } from '../account/database.ts'
import { termsWords } from '../account/member/terms/model.ts'
import { memberHandlers } from '../account/member/routes.ts'
import { termsRoutes } from '../account/member/terms/routes.ts'
import type { DirectoryDeps, MemberDeps } from '../account/member/service.ts'
import type { Provider } from '../account/member/sign-in/service.ts'
import { noticeHandlers } from '../account/notice/routes.ts'
import { accountSecret } from '../account/notice/service.ts'
import { teamHandlers } from '../account/team/routes.ts'
import type { TeamDeps } from '../account/team/service.ts'
import type { Config } from '../config.ts'
import { migrate, openDatabase } from '../kit/database.ts'
import type { Caller, Refusal } from '../kit/http/answer.ts'
import { authoriseByRole, type Guard, register } from '../kit/http/register.ts'
import { accountMigrations } from '../migrations/account.ts'

export type AccountRoleDeps = {
  config: Config
  databaseUrl: string
  publicUrl: string
  identify: Guard['identify']
  verify: (token: string) => Promise<Caller | Refusal>
  provider: () => Promise<Provider>
  onAgreed: MemberDeps['onAgreed']
  directory: DirectoryDeps['directory']
  log: DirectoryDeps['log']
  onTeams: TeamDeps['onTeams']
}

/** People by their role; the product itself reads teams with their members, and nothing else. */
const authorise: Guard['authorise'] = (call, caller) =>
  caller?.service && call.path === accountApi.teamsByIds.path
    ? Promise.resolve({ subject: null })
    : authoriseByRole(call, caller)

/** The embedded account service: its own tables, its own URLs, a stranger to the monitor. */
export async function startAccount(
  app: FastifyInstance,
  deps: AccountRoleDeps,
): Promise<{ stop: () => Promise<void> }> {
  const { config, publicUrl } = deps
  const connections = Math.min(5, config.CLEARWAY_DATABASE_CONNECTIONS)
  const db = openDatabase<AccountTables>(deps.databaseUrl, { schema: 'account', connections })
  await migrate(db, 'account', accountMigrations)
  const text = config.CLEARWAY_TERMS_FILE ? await readFile(config.CLEARWAY_TERMS_FILE, 'utf8') : null
  const version = createHash('sha256')
    .update((text ?? termsWords.en.terms).trim())
    .digest('hex')
    .slice(0, 12)
  const url = `${publicUrl}/axe-account/terms`
  const terms = { text, version, required: config.CLEARWAY_TERMS_REQUIRED, url }
  const productName = config.CLEARWAY_PRODUCT_NAME
  const { onAgreed, onTeams, directory, log } = deps
  const own = { db, terms, organisation: productName, onAgreed, onTeams, directory, log }
  const handlers = { ...memberHandlers(own), ...teamHandlers(own), ...noticeHandlers(own) }
  register(app, {
    table: accountApi,
    handlers,
    guard: { identify: deps.identify, authorise },
  })
  const signIn = {
    provider: deps.provider,
    client: config.CLEARWAY_ACCOUNT_CLIENT,
    callback: `${url}/callback`,
    verify: deps.verify,
    secret: await accountSecret({ db }),
  }
  await app.register((pages, _options, done) => {
    termsRoutes(pages, { ...own, signIn, publicUrl, productName })
    done()
  })
  return { stop: () => db.destroy() }
}
