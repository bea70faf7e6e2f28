import type { Config } from '../../config.ts'
import {
  type AuditSealDeps,
  type KnownHeads,
  listRequiredHeads,
  readKnownHeads,
  sealAgain,
} from '../../monitor/audit/seal/service.ts'
import { type AuditVerification, verifyAudit } from '../../monitor/audit/service.ts'
import { openMonitorDatabase } from '../database.ts'
import { openConfiguredSeal } from '../seal.ts'
import { exitWithHelp, exitWithMessage, isHelpRequest, readSettingsOrExit, withDatabase } from './command.ts'

const usageMessage = 'Usage: clearway audit verify|seal'

const withAuditLog = <T>(config: Config, work: (deps: AuditSealDeps) => Promise<T>): Promise<T> =>
  withDatabase(config, async (url) => {
    const db = await openMonitorDatabase(config, url)
    try {
      return await work({ db, seal: openConfiguredSeal(config), folder: config.CLEARWAY_DATA })
    } finally {
      await db.destroy()
    }
  })

function reportFault(fault: string): void {
  console.error(`The audit log was tampered with: ${fault}.`)
  process.exitCode = 1
}

function describeSeal({ sealed }: KnownHeads): string {
  return typeof sealed === 'object'
    ? `Its seal covers the entries up to ${sealed.number}.`
    : 'It is not sealed yet: a running server seals it within seconds.'
}

function describeWhole({ entries, first, last, hash }: Extract<AuditVerification, { kind: 'whole' }>): string {
  return entries === 0
    ? `The audit log is whole: it has no entries. The last hash is ${hash || 'none'}.`
    : `The audit log is whole: ${entries} entries, ${first} to ${last}. The last hash is ${hash}.`
}

async function verify(config: Config): Promise<void> {
  const { heads, verification } = await withAuditLog(config, async (deps) => {
    const heads = await readKnownHeads(deps)
    const requiredHeads = listRequiredHeads(heads)
    const verification = typeof requiredHeads === 'string' ? requiredHeads : await verifyAudit(deps, requiredHeads)
    return { heads, verification }
  })
  if (typeof verification === 'string') return reportFault(verification)
  if (verification.kind === 'broken') return reportFault(`entry ${verification.number} ${verification.why}`)
  console.log(`${describeWhole(verification)} ${describeSeal(heads)}`)
}

async function seal(config: Config): Promise<void> {
  const fault = await withAuditLog(config, sealAgain)
  if (fault !== null) return reportFault(fault)
  console.log('The audit log is sealed with the secret key.')
}

/** `verify` verifies the audit log; `seal` seals it again, after a restore or a lost key. Exit code 1 for a broken log. */
async function main(args: readonly string[]): Promise<void> {
  if (isHelpRequest(args)) exitWithHelp(usageMessage)
  const [action, ...otherWords] = args
  const actions = new Map([
    ['verify', verify],
    ['seal', seal],
  ])
  const run = otherWords.length === 0 ? actions.get(action ?? '') : undefined
  if (!run) exitWithMessage(usageMessage)
  await run(readSettingsOrExit())
}

await main(process.argv.slice(2))
