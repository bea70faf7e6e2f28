import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'

type Mail = { to: string; text: string }

/** Starts a mail server for the tests of a file. It stores the received mails, with their text unfolded. */
export async function useMailServer(): Promise<{ url: string; mails: Mail[] }> {
  const mails: Mail[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, accept) {
      let mailText = ''
      stream.on('data', (chunk: Buffer) => (mailText += chunk.toString()))
      stream.on('end', () => {
        const unfolded = mailText.replaceAll('=\r\n', '').replaceAll('=3D', '=')
        mails.push({ to: session.envelope.rcptTo[0]!.address, text: unfolded })
        accept()
      })
    },
  })
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise<void>((resolve) => smtp.close(() => resolve())))
  const { port } = smtp.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, mails }
}
