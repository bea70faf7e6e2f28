import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { claimsOf, systemRoles } from '@clearway/contract/kit/permission.ts'
import type { Kysely } from 'kysely'
import type { Config } from '../../config.ts'
import { renewKeys, revokeKeys } from '../../idp/keys.ts'
import { passwordFault } from '../../idp/password-rule.ts'
import { addUser } from '../../idp/service.ts'
import type { IdpTables } from '../../idp/table.ts'
import { openSeal } from '../../kit/seal.ts'
import { acceptSecretKey } from '../../monitor/session/secret-key/service.ts'
import { settingsOf, withDatabase } from './command.ts'
import { openMonitorDatabase } from '../database.ts'
import { openIdpDatabase } from '../idp.ts'

/** Roles by the word of the sign-in that gives them. */
const rolesOf = new Map<string, readonly string[]>(
  systemRoles.map((role) => [claimsOf(role).at(-1) ?? 'none', claimsOf(role)]),
)
const usage = `Usage: clearway user add NAME [--role ${[...rolesOf.keys()].join('|')}] [--password -], or clearway user renew-keys [--revoke]`

function wrongUse(message: string): never {
  console.error(`${message}\n${usage}`)
  process.exit(2)
}

type Wanted =
  | { what: 'add'; name: string; password: string; given: boolean; roles: readonly string[] }
  | { what: 'renew-keys'; revoke: boolean }

/** The password that was given: `-` stands for the first line of the standard input, because other people can read what is an argument. */
async function passwordGiven(option: string | undefined): Promise<string | undefined> {
  if (option === '-') return (await text(process.stdin)).split(/\r?\n/, 1)[0]
  if (option !== undefined)
    console.error(
      'Other people on this machine can read a password that is an argument. Give --password - and write it to the standard input.',
    )
  return option
}

async function wanted(args: readonly string[]): Promise<Wanted> {
  const [verb, name, ...rest] = args
  if (verb === 'renew-keys' && rest.length === 0 && (name === undefined || name === '--revoke'))
    return { what: 'renew-keys', revoke: name === '--revoke' }
  if (verb !== 'add' || !name || name.startsWith('-')) wrongUse('Say whom to add.')
  const options = new Map<string, string>()
  for (let at = 0; at < rest.length; at += 2) {
    const [key = '', value] = rest.slice(at, at + 2)
    if (!['--role', '--password'].includes(key) || !value) wrongUse(`Not understood: ${key}`)
    options.set(key, value)
  }
  const roles = rolesOf.get(options.get('--role') ?? 'access')
  if (!roles) wrongUse(`There is no role ${options.get('--role')}.`)
  const given = await passwordGiven(options.get('--password'))
  const fault = given === undefined ? null : passwordFault(given, [name])
  if (fault) wrongUse(`That password cannot be used (${fault}).`)
  const password = given ?? randomBytes(12).toString('base64url')
  return { what: 'add', name, password, given: given !== undefined, roles }
}

const sealOf = (config: Config) =>
  openSeal({
    setting: config.CLEARWAY_SECRET_KEY,
    old: config.CLEARWAY_SECRET_KEY_OLD,
    folder: config.CLEARWAY_DATA,
  })

const renewed = 'There is a new signing key. It is used from the next start on; older tokens stay valid.'
const revoked =
  'The keys of the identity provider are revoked, with all sessions and refresh tokens. Start all processes again: then no ' +
  'token from before is accepted, and everybody signs in again.'

/** Adds somebody to the embedded identity provider, or renews its signing keys, while the server runs or not. */
async function main(args: readonly string[]): Promise<void> {
  const todo = await wanted(args)
  const config = settingsOf()
  const withIdp = <T>(work: (db: Kysely<IdpTables>, url: string) => Promise<T>): Promise<T> =>
    withDatabase(config, async (url) => {
      const db = await openIdpDatabase(config, url)
      try {
        return await work(db, url)
      } finally {
        await db.destroy()
      }
    })
  if (todo.what === 'renew-keys') {
    const seal = sealOf(config)
    await withIdp(async (db, url) => {
      if (!todo.revoke) return renewKeys({ db, seal })
      await revokeKeys({ db })
      const monitor = await openMonitorDatabase(config, url)
      await acceptSecretKey({ db: monitor, seal })
      await monitor.destroy()
    })
    return console.log(todo.revoke ? revoked : renewed)
  }
  const { name: username, password, roles } = todo
  const added = await withIdp((db) => addUser({ db }, { username, password, roles }))
  if (!added) wrongUse(`There is a user ${username} already.`)
  console.log(`Added ${username}${todo.given ? '' : ` with the password ${password}`}.`)
}

await main(process.argv.slice(2))
