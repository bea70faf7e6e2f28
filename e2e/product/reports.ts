import { createHmac } from 'node:crypto'
import { startReceiver } from './receiver.ts'

const secret = 'a secret of sixteen'

/** A reporting product: keeps the received reports and the validity of their signatures. */
export type Reports = {
  /** Settings with which the product sends summaries here. */
  env: Record<string, string>
  received: { run: number; signed: boolean }[]
  close: () => Promise<unknown>
}

export async function startReports(): Promise<Reports> {
  const received: Reports['received'] = []
  const { url, close } = await startReceiver((headers, body) => {
    const [, time, sign] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-clearway-signature'])) ?? []
    const signed = sign === createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
    received.push({ run: (JSON.parse(body) as { run: { number: number } }).run.number, signed })
  })
  return {
    env: {
      CLEARWAY_REPORTS_URL: `${url}/`,
      CLEARWAY_REPORTS_INGEST_URL: `${url}/runs`,
      CLEARWAY_REPORTS_SECRET: secret,
    },
    received,
    close,
  }
}
