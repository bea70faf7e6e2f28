import type { Transporter } from 'nodemailer'
import { loadOnce } from './load-once.ts'

const mailTimeoutMs = 15_000

/** `timeoutMs` limits each step of a connection. */
export type MailServer = { url: string; product: string; sender: string; timeoutMs?: number }
/** One mail to one person. Mails with the same id count as one if sent twice. */
export type Letter = { id: string; receiver: string; subject: string; text: string; html: string; language: string }

/** Returns true if a server must offer STARTTLS, which an attacker could remove to read the password, unless `ignoreTLS=true`. */
const shouldRequireTls = (url: URL): boolean => url.username !== '' && url.searchParams.get('ignoreTLS') !== 'true'

/** Connects to the configured mail server. `send` throws the server's message if it refuses. */
export function createMailClient({ url, product, sender, timeoutMs = mailTimeoutMs }: MailServer): {
  send: (letter: Letter) => Promise<void>
  /** Connects and signs in, without a mail. */
  verify: () => Promise<unknown>
  close: () => void
} {
  const options = {
    url,
    requireTLS: shouldRequireTls(new URL(url)),
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  // Loaded with the first mail: a server would otherwise keep it in memory without need.
  const loadTransport = loadOnce(async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport(options as never) as Transporter
  })
  let lastTransport: Promise<Transporter> | null = null
  const openTransport = () => (lastTransport = loadTransport())
  const senderHost = sender.split('@')[1] ?? 'localhost'
  return {
    send: async (letter) => {
      const mailTransport = await openTransport()
      await mailTransport.sendMail({
        from: { name: product, address: sender },
        to: { name: '', address: letter.receiver },
        subject: letter.subject,
        text: letter.text,
        html: letter.html,
        messageId: `<${letter.id}@${senderHost}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': letter.language },
      })
    },
    verify: async () => (await openTransport()).verify(),
    close: () => void lastTransport?.then((mailTransport) => mailTransport.close()).catch(() => undefined),
  }
}
