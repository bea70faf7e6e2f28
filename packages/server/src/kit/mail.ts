import { createTransport } from 'nodemailer'

const timeoutMs = 15_000

export type MailServer = { url: string; product: string; sender: string }
/** One mail to one person. What has the same id, sent twice, is known as one. */
export type Letter = {
  id: string
  receiver: string
  subject: string
  text: string
  html: string
  language: string
}

/** The mail server of the settings. `send` throws what it says when it refuses. */
export function openMailServer({ url, product, sender }: MailServer): {
  send: (letter: Letter) => Promise<void>
  close: () => void
} {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as never)
  const host = sender.split('@')[1] ?? 'localhost'
  return {
    send: async (letter) => {
      await transport.sendMail({
        from: { name: product, address: sender },
        to: { name: '', address: letter.receiver },
        subject: letter.subject,
        text: letter.text,
        html: letter.html,
        messageId: `<${letter.id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': letter.language },
      })
    },
    close: () => transport.close(),
  }
}
