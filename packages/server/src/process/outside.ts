import type { Config } from '../config.ts'
import { createMailClient } from '../kit/mail.ts'
import { createReachability, type Reachability } from '../kit/reachability.ts'
import type { LogFunction } from '../kit/log.ts'

const timeoutMs = 5000

async function checkMailServer(config: Config, url: string): Promise<void> {
  const mailClient = createMailClient({
    url,
    product: config.CLEARWAY_PRODUCT_NAME,
    sender: config.CLEARWAY_MAIL_FROM,
    timeoutMs,
  })
  try {
    await mailClient.verify()
  } finally {
    mailClient.close()
  }
}

/** Reads the keys of an external identity provider, or its discovery document. */
async function checkIdentityProvider(config: Config, issuer: string): Promise<void> {
  const url = config.CLEARWAY_OIDC_JWKS_URL ?? `${issuer}/.well-known/openid-configuration`
  // A failed connection has its reason in the cause.
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: Error) => {
    throw new Error(
      error.cause instanceof Error ? error.cause.message || String((error.cause as NodeJS.ErrnoException).code) : error.message,
    )
  })
  if (!response.ok) throw new Error(`it returns status ${response.status}`)
  const document = (await response.json()) as { issuer?: unknown }
  if (config.CLEARWAY_OIDC_JWKS_URL === null && document.issuer !== issuer)
    throw new Error('its discovery document names another issuer')
}

export type OutsideChecks = { mail: Reachability | null; signIn: Reachability | null }

/** Checks of the servers outside that are configured; null for the others. */
export function createOutsideChecks(config: Config): OutsideChecks {
  const { CLEARWAY_SMTP_URL: smtpUrl, CLEARWAY_OIDC_ISSUER: issuer } = config
  return {
    mail: smtpUrl === null ? null : createReachability(() => checkMailServer(config, smtpUrl)),
    signIn: issuer === null ? null : createReachability(() => checkIdentityProvider(config, issuer)),
  }
}

/** Logs at the start which of them cannot be used. They may start later, so the start continues. */
export async function logOutsideProblems(checks: OutsideChecks, log: LogFunction): Promise<void> {
  const [mailProblem, signInProblem] = await Promise.all([checks.mail?.() ?? null, checks.signIn?.() ?? null])
  if (mailProblem !== null) log('warn', 'mail server cannot be used', { detail: `${mailProblem}. Check CLEARWAY_SMTP_URL.` })
  if (signInProblem !== null)
    log('warn', 'identity provider cannot be used', { detail: `${signInProblem}. Check CLEARWAY_OIDC_ISSUER.` })
}
