import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { GuardProblem } from '../../guard/context.ts'

/** Failure reasons for Chromium's network error codes. All other codes are `connection-failed`. */
const reasonsByCode: ReadonlyMap<string, FailureReason> = new Map(
  Object.entries({
    'net::ERR_NAME_NOT_RESOLVED': 'unknown-host',
    'net::ERR_CONNECTION_REFUSED': 'connection-refused',
    'net::ERR_CONNECTION_TIMED_OUT': 'timeout-download',
    'net::ERR_TIMED_OUT': 'timeout-download',
    'net::ERR_TOO_MANY_REDIRECTS': 'redirect-loop',
    'net::ERR_INVALID_URL': 'bad-url',
    'net::ERR_UNSAFE_PORT': 'bad-url',
    'net::ERR_UNKNOWN_URL_SCHEME': 'bad-url',
    'net::ERR_UNSAFE_REDIRECT': 'bad-url',
    'net::ERR_DISALLOWED_URL_SCHEME': 'bad-url',
    'net::ERR_SSL_PROTOCOL_ERROR': 'bad-certificate',
    'net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH': 'bad-certificate',
    'net::ERR_BAD_SSL_CLIENT_AUTH_CERT': 'authentication',
    'net::ERR_SSL_CLIENT_AUTH_CERT_NEEDED': 'authentication',
    'net::ERR_INVALID_AUTH_CREDENTIALS': 'authentication',
    'net::ERR_RESPONSE_HEADERS_TOO_BIG': 'too-large',
    'net::ERR_CONTENT_DECODING_FAILED': 'http-error',
    'net::ERR_CONTENT_DECODING_INIT_FAILED': 'http-error',
    'net::ERR_INSUFFICIENT_RESOURCES': 'out-of-memory',
    'net::ERR_OUT_OF_MEMORY': 'out-of-memory',
  }),
)

/** Returns the reason for a code such as `net::ERR_CERT_DATE_INVALID`. */
export function getCodeReason(errorCode: string): FailureReason {
  if (errorCode.startsWith('net::ERR_CERT_')) return 'bad-certificate'
  return reasonsByCode.get(errorCode) ?? 'connection-failed'
}

/** Returns the reason for a document that stopped while it was received, and its explanation in English. */
export function explainBrokenDocument(host: string | undefined, errorCode: string): [FailureReason, string] {
  const reason = getCodeReason(errorCode)
  // Decompression is the only error of a received answer that the site always repeats.
  if (reason === 'http-error') return [reason, `${host}: the answer is not compressed as its Content-Encoding header says`]
  return ['connection-failed', `${host}: the answer broke off`]
}

/** Failure reasons for the guard's problems. */
export const guardReasons: Readonly<Record<GuardProblem, FailureReason>> = {
  'unknown-host': 'unknown-host',
  'address-refused': 'address-refused',
  'connection-refused': 'connection-refused',
  'connection-failed': 'connection-failed',
  timeout: 'timeout-download',
  'too-large': 'too-large',
  'bad-certificate': 'bad-certificate',
}

const reasonsByStatus: Readonly<Record<number, FailureReason>> = {
  400: 'http-400',
  401: 'http-401',
  403: 'http-403',
  404: 'http-404',
  407: 'authentication',
  410: 'http-410',
}

/** Returns the reason for an HTTP status of 400 or more. */
export const getStatusReason = (status: number): FailureReason => reasonsByStatus[status] ?? 'http-error'
