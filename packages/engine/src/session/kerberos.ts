import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Variant } from '../browser/launch.ts'

/** A ticket in a private folder, and the browser variant that may use it. */
export type KerberosTicket =
  | { kind: 'ticket'; variant: Variant; renew: () => Promise<boolean>; close: () => Promise<void> }
  | { kind: 'failed'; reason: 'authentication' | 'session-failed'; detail: string }

type KinitResult = { code: number | null; isMissing: boolean; errorText: string }

const kinitTimeoutMs = 15_000

/** Runs kinit with the password on standard input: arguments are visible to all users. */
function runKinit(username: string, password: string, env: Record<string, string>): Promise<KinitResult> {
  return new Promise((resolve) => {
    const kinitProcess = spawn('kinit', ['-F', '-P', '-l', '10h', '--', username], {
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', ...env },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let stderrText = ''
    const kinitTimer = setTimeout(() => kinitProcess.kill('SIGKILL'), kinitTimeoutMs)
    kinitProcess.stderr.on('data', (chunk: Buffer) => (stderrText = (stderrText + chunk.toString()).slice(0, 500)))
    kinitProcess.stdin.on('error', () => {})
    kinitProcess.stdin.end(`${password}\n`)
    kinitProcess.once('error', () => {
      clearTimeout(kinitTimer)
      resolve({ code: null, isMissing: true, errorText: '' })
    })
    kinitProcess.once('close', (code) => {
      clearTimeout(kinitTimer)
      resolve({ code, isMissing: false, errorText: stderrText.trim() })
    })
  })
}

/** Returns true if the text can be a user name: not a kinit option, no line breaks. */
const isPrincipal = (username: string): boolean => /^[^-\p{Cc}][^\p{Cc}]*$/u.test(username)

/**
 * Obtains a ticket for one run. The ticket requires a separate browser process, which authenticates only to `hosts`.
 * `close` destroys the ticket and its folder.
 */
export async function openTicket(options: {
  username: string
  password: string
  hosts: readonly string[]
}): Promise<KerberosTicket> {
  // `--` ends the options of kinit, but not every implementation handles names that look like options.
  if (!isPrincipal(options.username))
    return { kind: 'failed', reason: 'authentication', detail: 'The user name cannot be one of Kerberos' }
  const ticketFolder = await mkdtemp(join(tmpdir(), 'clearway-ticket-'))
  const deleteTicket = () => rm(ticketFolder, { recursive: true, force: true })
  const ticketEnv: Record<string, string> = { KRB5CCNAME: `FILE:${join(ticketFolder, 'cache')}` }
  if (process.env.KRB5_CONFIG) ticketEnv.KRB5_CONFIG = process.env.KRB5_CONFIG
  const requestTicket = () => runKinit(options.username, options.password, ticketEnv)
  const firstResult = await requestTicket()
  if (firstResult.code !== 0) {
    await deleteTicket()
    if (firstResult.isMissing)
      return {
        kind: 'failed',
        reason: 'session-failed',
        detail: 'This machine has no kinit: install the Kerberos client (Debian: krb5-user)',
      }
    return {
      kind: 'failed',
      reason: 'authentication',
      detail: `Kerberos refused the sign-in: ${firstResult.errorText}`,
    }
  }
  return {
    kind: 'ticket',
    variant: {
      key: `kerberos ${ticketFolder}`,
      args: [`--auth-server-allowlist=${options.hosts.join(',')}`],
      env: ticketEnv,
      headless: true,
    },
    renew: async () => (await requestTicket()).code === 0,
    close: deleteTicket,
  }
}
