import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'

type Mail = { to: string; text: string }

/** A mail server for the tests of a file, that keeps what it gets: its text as it was before it was folded for the way. */
export async function mailServerOfFile(): Promise<{ url: string; mails: Mail[] }> {
  const mails: Mail[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', () => {
        const unfolded = text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
        mails.push({ to: session.envelope.rcptTo[0]!.address, text: unfolded })
        done()
      })
    },
  })
  await new Promise<void>((ready) => void smtp.listen(0, '127.0.0.1', ready))
  afterAll(() => new Promise<void>((ended) => smtp.close(() => ended())))
  const { port } = smtp.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, mails }
}
