import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const secret = 'a secret of sixteen'

/** A reporting product: keeps what it is sent, and whether the signature was right. */
export type Reports = {
  /** What the product needs to send summaries here. */
  env: Record<string, string>
  received: { run: number; signed: boolean }[]
  close: () => Promise<unknown>
}

/** Starts a reporting product on this machine. */
export async function startReports(): Promise<Reports> {
  const received: Reports['received'] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8')
      const [, time, sign] = /^t=(\d+),v1=(\w+)$/.exec(String(request.headers['x-clearway-signature'])) ?? []
      const signed = sign === createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
      received.push({
        run: (JSON.parse(body) as { run: { number: number } }).run.number,
        signed,
      })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: {
      CLEARWAY_REPORTS_URL: `${url}/`,
      CLEARWAY_REPORTS_INGEST_URL: `${url}/runs`,
      CLEARWAY_REPORTS_SECRET: secret,
    },
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
