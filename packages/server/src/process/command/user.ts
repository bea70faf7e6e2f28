import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { getRoleClaims, systemRoles } from '@clearway/contract/kit/permission.ts'
import type { Kysely } from 'kysely'
import { renewKeys } from '../../idp/keys.ts'
import { findPasswordFault } from '../../idp/password-rule.ts'
import { addUser } from '../../idp/service.ts'
import { deleteSecrets } from '../../idp/store.ts'
import type { IdpTables } from '../../idp/table.ts'
import { acceptSecretKey } from '../../monitor/session/secret-key/service.ts'
import { exitWithHelp, isHelpRequest, readSettingsOrExit, withDatabase } from './command.ts'
import { openMonitorDatabase } from '../database.ts'
import { openConfiguredSeal } from '../seal.ts'
import { openIdpDatabase } from '../idp.ts'

/** Sign-in claims by the name of their role. */
const claimsByRole = new Map<string, readonly string[]>(
  systemRoles.map((role) => [getRoleClaims(role).at(-1) ?? 'none', getRoleClaims(role)]),
)
const usageMessage = `Usage: clearway user add NAME [--role ${[...claimsByRole.keys()].join('|')}] [--password -], or clearway user renew-keys [--revoke]`

function exitWithUsage(message: string): never {
  console.error(`${message}\n${usageMessage}`)
  process.exit(2)
}

type UserCommand =
  | { what: 'add'; name: string; password: string; given: boolean; roles: readonly string[] }
  | { what: 'renew-keys'; revoke: boolean }

/** Reads the given password: `-` stands for the first line of the standard input, since other users can read arguments. */
async function readGivenPassword(option: string | undefined): Promise<string | undefined> {
  if (option === '-') return (await text(process.stdin)).split(/\r?\n/, 1)[0]
  if (option !== undefined)
    console.error(
      'Other people on this machine can read a password that is an argument. Give --password - and write it to the standard input.',
    )
  return option
}

async function parseUserCommand(args: readonly string[]): Promise<UserCommand> {
  if (isHelpRequest(args)) exitWithHelp(usageMessage)
  const [commandVerb, userName, ...otherArguments] = args
  if (commandVerb === 'renew-keys' && otherArguments.length === 0 && (userName === undefined || userName === '--revoke'))
    return { what: 'renew-keys', revoke: userName === '--revoke' }
  if (commandVerb !== 'add' || !userName || userName.startsWith('-')) exitWithUsage('Name the user to add.')
  const optionValues = new Map<string, string>()
  for (let optionIndex = 0; optionIndex < otherArguments.length; optionIndex += 2) {
    const [optionName = '', optionValue] = otherArguments.slice(optionIndex, optionIndex + 2)
    if (!['--role', '--password'].includes(optionName) || !optionValue) exitWithUsage(`Not understood: ${optionName}`)
    optionValues.set(optionName, optionValue)
  }
  const roleClaims = claimsByRole.get(optionValues.get('--role') ?? 'access')
  if (!roleClaims) exitWithUsage(`There is no role ${optionValues.get('--role')}.`)
  const givenPassword = await readGivenPassword(optionValues.get('--password'))
  const passwordProblem = givenPassword === undefined ? null : findPasswordFault(givenPassword, [userName])
  if (passwordProblem) exitWithUsage(`That password cannot be used (${passwordProblem}).`)
  const newPassword = givenPassword ?? randomBytes(12).toString('base64url')
  return { what: 'add', name: userName, password: newPassword, given: givenPassword !== undefined, roles: roleClaims }
}

const renewedMessage = 'There is a new signing key. It is used after the next start; older tokens stay valid.'
const revokedMessage =
  'The keys of the identity provider are revoked, with all sessions and refresh tokens. Restart all processes: then no ' +
  'older token is accepted, and all users must sign in again.'

/** Adds a user to the embedded identity provider, or renews its signing keys, whether the server runs or not. */
async function main(args: readonly string[]): Promise<void> {
  const userCommand = await parseUserCommand(args)
  const config = readSettingsOrExit()
  const withIdpDatabase = <T>(work: (db: Kysely<IdpTables>, url: string) => Promise<T>): Promise<T> =>
    withDatabase(config, async (url) => {
      const idpDb = await openIdpDatabase(config, url)
      try {
        return await work(idpDb, url)
      } finally {
        await idpDb.destroy()
      }
    })
  if (userCommand.what === 'renew-keys') {
    const keySeal = openConfiguredSeal(config)
    await withIdpDatabase(async (db, url) => {
      if (!userCommand.revoke) return renewKeys({ db, seal: keySeal })
      await deleteSecrets({ db })
      const monitorDb = await openMonitorDatabase(config, url)
      await acceptSecretKey({ db: monitorDb, seal: keySeal })
      await monitorDb.destroy()
    })
    return console.log(userCommand.revoke ? revokedMessage : renewedMessage)
  }
  const { name: newUserName, password: newPassword, roles: roleClaims } = userCommand
  const isAdded = await withIdpDatabase((db) =>
    addUser({ db }, { username: newUserName, password: newPassword, roles: roleClaims }),
  )
  if (!isAdded) exitWithUsage(`There is a user ${newUserName} already.`)
  console.log(`Added ${newUserName}${userCommand.given ? '' : ` with the password ${newPassword}`}.`)
}

await main(process.argv.slice(2))
