import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialer } from '@clearway/engine/guard/dial.ts'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import tls from 'node:tls'
import type { Config } from '../../config.ts'
import { createMailClient } from '../../kit/mail.ts'
import { buildRunMail } from './mail/model.ts'
import { buildMentionMail } from './mention/model.ts'
import { signWebhookBody } from './model.ts'
import type { SendMessage, SendResult } from './service.ts'
import { type WebhookDeps, findWebhookTarget } from './webhook/service.ts'

const requestTimeoutMs = 15_000

/** Classifies a mail server's refusal: 5xx replies are permanent. */
function toMailFailure(error: unknown): SendResult {
  const { responseCode, message: errorMessage } = error as { responseCode?: number; message?: string }
  const isPermanent = responseCode !== undefined && responseCode >= 500
  return { ok: false, status: responseCode ?? null, error: errorMessage ?? String(error), final: isPermanent }
}

/** Opens the configured mail server. Sends one mail per receiver, so that receivers do not see each other. */
export function openMailSender(config: Config): { send: SendMessage; close: () => void } {
  const smtpUrl = config.CLEARWAY_SMTP_URL
  if (smtpUrl === null)
    return {
      send: () => Promise.resolve({ ok: false, status: null, error: 'No mail server is set', final: true }),
      close: () => {},
    }
  const mailServer = createMailClient({ url: smtpUrl, product: config.CLEARWAY_PRODUCT_NAME, sender: config.CLEARWAY_MAIL_FROM })
  const sendMail: SendMessage = async (delivery) => {
    const { payload: mailPayload } = delivery
    const mailContent =
      mailPayload.event === 'mentioned' ? buildMentionMail(mailPayload) : buildRunMail(mailPayload, config.CLEARWAY_PRODUCT_NAME)
    try {
      await mailServer.send({ id: delivery.id, receiver: delivery.receiver, ...mailContent })
      return { ok: true, status: 250 }
    } catch (error) {
      return toMailFailure(error)
    }
  }
  return { send: sendMail, close: mailServer.close }
}

type PostResult = { status: number } | { problem: string; refused: boolean }

/** Posts to addresses that are checked while connecting, since a name may resolve differently a moment later. */
function createPost(allowPrivate: readonly string[]) {
  const dialAddress = openDialer({ rule: createAddressRule(allowPrivate), connectTimeoutMs: requestTimeoutMs })
  return async (url: URL, body: string, headers: Record<string, string>): Promise<PostResult> => {
    const isHttps = url.protocol === 'https:'
    const dialResult = await dialAddress(url.hostname, Number(url.port || (isHttps ? 443 : 80)))
    if (!dialResult.ok) return { problem: dialResult.detail, refused: dialResult.problem === 'address-refused' }
    const { socket } = dialResult
    return new Promise((resolve) => {
      const failRequest = (error: Error) => {
        socket.destroy()
        resolve({ problem: error.message, refused: false })
      }
      const serverName = url.hostname.replace(/^\[|\]$/g, '')
      const httpRequestStream = (isHttps ? httpsRequest : httpRequest)(
        url,
        {
          method: 'POST',
          agent: false,
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          timeout: requestTimeoutMs,
          createConnection: () => (isHttps ? tls.connect({ socket, servername: serverName }) : socket),
        },
        (response) => {
          // The response body is irrelevant, and must not fill the memory.
          resolve({ status: response.statusCode ?? 0 })
          response.destroy()
          socket.destroy()
        },
      )
      httpRequestStream.on('timeout', () => httpRequestStream.destroy(new Error(`no response within ${requestTimeoutMs} ms`)))
      httpRequestStream.on('error', failRequest)
      httpRequestStream.end(body)
    })
  }
}

/** Creates a sender of signed JSON to webhooks. A redirect counts as a failure. */
export function openWebhookSender(deps: WebhookDeps, allowPrivate: readonly string[]): SendMessage {
  const postToAddress = createPost(allowPrivate)
  return async (delivery) => {
    const target = await findWebhookTarget(deps, delivery)
    if (!target) return { ok: false, status: null, error: 'The webhook is gone or switched off', final: true }
    const { language: _, ...webhookPayload } = delivery.payload
    const requestBody = JSON.stringify({ id: delivery.id, createdAt: delivery.created_at.toISOString(), ...webhookPayload })
    const postResult = await postToAddress(new URL(target.url), requestBody, {
      'content-type': 'application/json',
      'user-agent': 'Clearway-Webhook/1',
      'x-clearway-event': delivery.event,
      'x-clearway-delivery': delivery.id,
      'x-clearway-signature': signWebhookBody(target.secret, requestBody, new Date()),
    })
    if ('problem' in postResult) return { ok: false, status: null, error: postResult.problem, final: postResult.refused }
    const { status: httpStatus } = postResult
    if (httpStatus >= 200 && httpStatus < 300) return { ok: true, status: httpStatus }
    // 410 Gone is permanent.
    return {
      ok: false,
      status: httpStatus,
      error: `Returned status ${httpStatus}`,
      final: httpStatus === 410,
    }
  }
}
