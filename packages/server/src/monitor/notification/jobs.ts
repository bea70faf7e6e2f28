import { addressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialler } from '@clearway/contract/kit/dial.ts'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import tls from 'node:tls'
import type { Config } from '../../config.ts'
import { openMailServer } from '../../kit/mail.ts'
import { mailOf } from './mail/model.ts'
import { mentionMailOf } from './mention/model.ts'
import { signature } from './model.ts'
import type { Send, Sent } from './service.ts'
import { type WebhookDeps, webhookTarget } from './webhook/service.ts'

const timeoutMs = 15_000

/** What a mail server's refusal means: an answer of the 500s will not change by waiting. */
function mailFault(error: unknown): Sent {
  const { responseCode, message } = error as { responseCode?: number; message?: string }
  const final = responseCode !== undefined && responseCode >= 500
  return { ok: false, status: responseCode ?? null, error: message ?? String(error), final }
}

/** Sends mail through the server of the settings, one receiver at a time: nobody sees who else is notified. */
export function openMail(config: Config): { send: Send; close: () => void } {
  const url = config.CLEARWAY_SMTP_URL
  if (url === null)
    return {
      send: () => Promise.resolve({ ok: false, status: null, error: 'No mail server is set', final: true }),
      close: () => {},
    }
  const server = openMailServer({
    url,
    product: config.CLEARWAY_PRODUCT_NAME,
    sender: config.CLEARWAY_MAIL_FROM,
  })
  const send: Send = async (delivery) => {
    const { payload } = delivery
    const mail =
      payload.event === 'mentioned' ? mentionMailOf(payload) : mailOf(payload, config.CLEARWAY_PRODUCT_NAME)
    try {
      await server.send({ id: delivery.id, receiver: delivery.receiver, ...mail })
      return { ok: true, status: 250 }
    } catch (error) {
      return mailFault(error)
    }
  }
  return { send, close: server.close }
}

type Posted = { status: number } | { problem: string; refused: boolean }

/** Posts to an address that has been judged where it is dialled: names may lead elsewhere a moment later. */
function openPost(allowPrivate: readonly string[]) {
  const dial = openDialler({ rule: addressRule(allowPrivate), connectTimeoutMs: timeoutMs })
  return async (url: URL, body: string, headers: Record<string, string>): Promise<Posted> => {
    const secure = url.protocol === 'https:'
    const dialled = await dial(url.hostname, Number(url.port || (secure ? 443 : 80)))
    if (!dialled.ok) return { problem: dialled.detail, refused: dialled.problem === 'address-refused' }
    const { socket } = dialled
    return new Promise((done) => {
      const fail = (error: Error) => {
        socket.destroy()
        done({ problem: error.message, refused: false })
      }
      const servername = url.hostname.replace(/^\[|\]$/g, '')
      const request = (secure ? httpsRequest : httpRequest)(
        url,
        {
          method: 'POST',
          agent: false,
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          timeout: timeoutMs,
          createConnection: () => (secure ? tls.connect({ socket, servername }) : socket),
        },
        (response) => {
          // Its answer is of no interest beyond the status, and must not fill the memory.
          done({ status: response.statusCode ?? 0 })
          response.destroy()
          socket.destroy()
        },
      )
      request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)))
      request.on('error', fail)
      request.end(body)
    })
  }
}

/** Sends a run to a webhook: signed JSON. A redirect is an answer like any other that is not a success. */
export function openWebhooks(deps: WebhookDeps, allowPrivate: readonly string[]): Send {
  const post = openPost(allowPrivate)
  return async (delivery) => {
    const target = await webhookTarget(deps, delivery)
    if (!target) return { ok: false, status: null, error: 'The webhook is gone or switched off', final: true }
    const { language: _, ...payload } = delivery.payload
    const body = JSON.stringify({ id: delivery.id, createdAt: delivery.created_at.toISOString(), ...payload })
    const answer = await post(new URL(target.url), body, {
      'content-type': 'application/json',
      'user-agent': 'Clearway-Webhook/1',
      'x-clearway-event': delivery.event,
      'x-clearway-delivery': delivery.id,
      'x-clearway-signature': signature(target.secret, body, new Date()),
    })
    if ('problem' in answer) return { ok: false, status: null, error: answer.problem, final: answer.refused }
    const { status } = answer
    if (status >= 200 && status < 300) return { ok: true, status }
    // Gone for good, by its own word.
    return { ok: false, status, error: `It answered ${status}`, final: status === 410 }
  }
}
