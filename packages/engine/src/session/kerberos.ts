import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Variant } from '../browser/launch.ts'

/** A ticket in a private place, and the browser that may use it. */
export type Ticket =
  | { kind: 'ticket'; variant: Variant; renew: () => Promise<boolean>; close: () => Promise<void> }
  | { kind: 'failed'; reason: 'authentication' | 'session-failed'; detail: string }

type Kinit = { code: number | null; missing: boolean; said: string }

const limitMs = 15_000

/** Runs kinit with the password on its standard input: never among its arguments, which everybody can read. */
function kinit(username: string, password: string, env: Record<string, string>): Promise<Kinit> {
  return new Promise((resolve) => {
    const child = spawn('kinit', ['-F', '-P', '-l', '10h', '--', username], {
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', ...env },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let said = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(0, 500)))
    child.stdin.on('error', () => {})
    child.stdin.end(`${password}\n`)
    child.once('error', () => {
      clearTimeout(timer)
      resolve({ code: null, missing: true, said: '' })
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, missing: false, said: said.trim() })
    })
  })
}

/** Whether a text can be the name of a user: no option of kinit, nothing that ends a line. */
const isPrincipal = (username: string): boolean => /^[^-\p{Cc}][^\p{Cc}]*$/u.test(username)

/**
 * Gets a ticket for one run. The browser that uses it is a process of its own, since a process is a user; it answers no
 * host but `hosts`. The ticket is destroyed with its folder on `close`.
 */
export async function openTicket(options: {
  username: string
  password: string
  hosts: readonly string[]
}): Promise<Ticket> {
  // `--` ends the options for kinit; a name that looks like one is nobody's, and not for every kinit to judge.
  if (!isPrincipal(options.username))
    return { kind: 'failed', reason: 'authentication', detail: 'The user name cannot be one of Kerberos' }
  const folder = await mkdtemp(join(tmpdir(), 'clearway-ticket-'))
  const close = () => rm(folder, { recursive: true, force: true })
  const env: Record<string, string> = { KRB5CCNAME: `FILE:${join(folder, 'cache')}` }
  if (process.env.KRB5_CONFIG) env.KRB5_CONFIG = process.env.KRB5_CONFIG
  const get = () => kinit(options.username, options.password, env)
  const first = await get()
  if (first.code !== 0) {
    await close()
    if (first.missing)
      return {
        kind: 'failed',
        reason: 'session-failed',
        detail: 'This machine has no kinit: install the Kerberos client (Debian: krb5-user)',
      }
    return { kind: 'failed', reason: 'authentication', detail: `Kerberos refused the sign-in: ${first.said}` }
  }
  return {
    kind: 'ticket',
    variant: {
      key: `kerberos ${folder}`,
      args: [`--auth-server-allowlist=${options.hosts.join(',')}`],
      env,
      headless: true,
    },
    renew: async () => (await get()).code === 0,
    close,
  }
}
