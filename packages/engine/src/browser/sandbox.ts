import type { CDPSession, Page } from 'playwright-core'
import { succeedsInTime, withTimeout } from './deadline.ts'

const openMs = 2000
/** Replaces `sandbox`: scripts of the page stay forbidden, and so do forms, which belong to the site's origin now. */
const substitutePolicy = "script-src 'none'; form-action 'none'"

const readDirectives = (policies: string): string[][] =>
  policies
    .toLowerCase()
    .split(/[;,]/)
    .map((directive) => directive.trim().split(/\s+/))

/** Returns true for policies with `sandbox` and without `allow-scripts`. */
export const isSandboxPolicy = (policies: string): boolean =>
  readDirectives(policies).some(([name, ...flags]) => name === 'sandbox' && !flags.includes('allow-scripts'))

const removeSandbox = (policies: string): string =>
  policies
    .split(',')
    .map((policy) =>
      policy
        .split(';')
        .filter((directive) => !/^\s*sandbox(?:\s|$)/i.test(directive))
        .join(';'),
    )
    .join(',')

type Header = { name: string; value: string }

/** Headers of the transfer, which do not describe the decoded body. */
const transferHeaders = new Set(['content-encoding', 'content-length', 'transfer-encoding'])

const replacePolicy = (headers: readonly Header[]): Header[] => [
  ...headers
    .filter(({ name }) => !transferHeaders.has(name.toLowerCase()))
    .map(({ name, value }) => ({
      name,
      value: name.toLowerCase() === 'content-security-policy' ? removeSandbox(value) : value,
    })),
  { name: 'Content-Security-Policy', value: substitutePolicy },
]

type PausedResponse = {
  requestId: string
  responseStatusCode?: number
  responseHeaders?: readonly Header[]
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** Fulfills a request with the received body under another policy: policies of a continued response are not read again. */
async function respond(cdp: CDPSession, { requestId, responseStatusCode, responseHeaders }: PausedResponse): Promise<void> {
  if (responseStatusCode === undefined || isRedirect(responseStatusCode)) {
    await cdp.send('Fetch.continueResponse', { requestId })
    return
  }
  const { body, base64Encoded } = await cdp.send('Fetch.getResponseBody', { requestId })
  await cdp.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: responseStatusCode,
    responseHeaders: replacePolicy(responseHeaders ?? []),
    body: base64Encoded ? body : Buffer.from(body).toString('base64'),
  })
}

async function replacePolicies(cdp: CDPSession): Promise<void> {
  cdp.on('Fetch.requestPaused', (pausedResponse) => {
    respond(cdp, pausedResponse).catch(() => {
      const { requestId } = pausedResponse
      cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByResponse' }).catch(() => {})
    })
  })
  await cdp.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Response' }] })
}

/**
 * Opens the sandbox of later documents and their frames to isolated worlds: in a sandbox without scripts no timer runs,
 * and axe needs them. No script of the documents runs, as in the sandbox.
 * @returns a function that restores the sandbox; null if the page does not respond
 */
export async function openSandbox(page: Page): Promise<(() => Promise<void>) | null> {
  const sessionResult = await withTimeout(
    openMs,
    page
      .context()
      .newCDPSession(page)
      .catch(() => null),
  )
  const session = sessionResult.done ? sessionResult.value : null
  if (!session) return null
  const closeSession = async () => {
    await withTimeout(
      openMs,
      session.detach().catch(() => {}),
    )
  }
  if (await succeedsInTime(openMs, replacePolicies(session))) return closeSession
  await closeSession()
  return null
}
