import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FieldError, ProblemCode } from '@clearway/contract/kit/problem.ts'
import { createFormats } from '../text/format.ts'
import { ApiError } from './client.ts'

const problemMessages: Record<ProblemCode, MessageDescriptor> = {
  'bad-request': msg`The server could not read the request. Reload the page and try again.`,
  'validation-failed': msg`Some values are not accepted. Check the marked fields.`,
  'not-signed-in': msg`You are no longer signed in. Sign in again.`,
  'token-rejected': msg`Your sign-in is no longer valid. Sign in again.`,
  'access-denied': msg`Your role does not allow this. A scan admin can give you access.`,
  'sign-in-again': msg`This requires a recent sign-in. Try again, and sign in when asked.`,
  'no-access': msg`Your account has no access to this product. Ask your administrator.`,
  'not-found': msg`It does not exist, or you cannot see it.`,
  'method-not-allowed': msg`The server does not know this call. Reload the page to get the current version.`,
  'name-taken': msg`This name is taken already. Choose a different one.`,
  'edit-conflict': msg`Someone else changed this in the meantime. Reload to see the change, then make yours again.`,
  'run-active': msg`A run is active already. Wait for it or cancel it first.`,
  'run-not-active': msg`No run is active anymore.`,
  'last-factor': msg`Your role needs a second factor. Add another before you remove this one.`,
  'last-admin': msg`There has to be at least one administrator. Make another person an administrator first.`,
  'in-use': msg`It is in use. Remove it from the scans that use it first.`,
  'locked-by-preset': msg`The preset of this scan does not allow this. Ask an administrator.`,
  'not-recheckable': msg`Only pages that the newest run visited can be checked again. Start a run instead.`,
  'no-browser': msg`The server has no browser it can start. An administrator has to install one.`,
  'quota-scans': msg`You have reached your limit of scans. Delete one, or ask an administrator for a higher quota.`,
  'quota-views': msg`You have reached your limit of saved views. Delete one, or ask an administrator for a higher quota.`,
  'quota-receivers': msg`The scan notifies more people than one scan may. Remove some, or ask an administrator for a higher quota.`,
  'quota-runs': msg`You have reached your limit of runs at once. Wait for one to end, or cancel one.`,
  'quota-tries': msg`You have reached the limit of previews and dry runs at once. Wait for one to end.`,
  'quota-uploads': msg`You have reached your limit of uploads for today. Continue tomorrow, or ask an administrator for a higher quota.`,
  'too-large': msg`That is more than the server accepts.`,
  'unsupported-type': msg`The server does not accept this type of content.`,
  'too-many-requests': msg`Too many requests in a short time. Wait a minute and try again.`,
  'server-error': msg`The server failed. Try again; if it keeps failing, tell your administrator.`,
  maintenance: msg`The system is undergoing maintenance. Try again in a few minutes.`,
  'server-busy': msg`The server is busy. Try again in a few seconds.`,
  'database-unavailable': msg`The database does not answer. Try again in a minute.`,
  'store-unavailable': msg`The store of pictures and sources does not answer. Try again in a minute.`,
  'disk-full': msg`The server's disk is full. An administrator has to free space.`,
}
const unreachableMessage = msg`The server cannot be reached. Check your connection and try again.`
const unknownErrorMessage = msg`Something went wrong in this page. Reload it and try again.`

export function getProblemMessage(error: unknown): MessageDescriptor {
  if (!(error instanceof ApiError)) return unknownErrorMessage
  if (error.problem) return problemMessages[error.problem.code] ?? problemMessages['server-error']
  return error.status === 0 ? unreachableMessage : problemMessages['server-error']
}

type ErrorParams = FieldError['params']
const isDay = (limit: number | string | undefined): boolean => /^\d{4}-\d{2}-\d{2}$/.test(String(limit))
/** Formats a limit in the user's language: a number or a calendar date. */
function formatLimit(limit: number | string): string {
  const { formatNumber, formatDay } = createFormats(i18n.locale)
  return typeof limit === 'number' ? formatNumber(limit) : isDay(limit) ? formatDay(limit) : limit
}

const fieldErrorMessages: Record<FieldError['code'], (params: ErrorParams) => MessageDescriptor> = {
  required: () => msg`Fill in this field.`,
  'wrong-type': ({ min, max }) =>
    min === undefined || max === undefined
      ? msg`This value has the wrong form.`
      : msg`Enter a whole number from ${min} to ${max}.`,
  'too-short': ({ min = 1 }) => msg`Enter at least ${min} characters.`,
  'too-long': ({ max = 0 }) => msg`Use at most ${max} characters.`,
  'too-small': ({ min = 0 }) => msg`Enter ${min} or more.`,
  'too-big': ({ max = 0 }) => msg`Enter ${max} or less.`,
  'unknown-value': () => msg`Choose one of the listed values.`,
  'unknown-field': () => msg`The server does not know this field. Reload the page to get the current version.`,
  'wrong-format': () => msg`This value has the wrong form.`,
  duplicate: () => msg`Duplicate value. Remove one.`,
  'name-taken': () => msg`This name is taken already. Choose a different one.`,
  'not-sent': () => msg`No email could be sent there. Check the address; if it is right, tell an administrator.`,
  'bad-email': () => msg`This is not an email address. Enter one like name@example.org.`,
  'common-password': () => msg`This password is among the first that attackers try. Choose another.`,
  'personal-password': () => msg`Leave your name and email out of the password.`,
  'wrong-password': () => msg`This is not your password.`,
  'wrong-code': () => msg`This code is wrong, or was used already. Enter the next one.`,
  'wrong-passkey': () => msg`This passkey could not be used. Try again, or use another way.`,
  'bad-url': () => msg`This is not a URL. Enter one like https://www.example.org/.`,
  'url-credentials': () => msg`Do not include a user name or password: anyone who can see the scan sees its URLs.`,
  'url-scheme': () => msg`The URL must start with http:// or https://.`,
  'outside-domains': () => msg`This URL lies outside the domains of the scan. Add its domain, or remove the URL.`,
  'bad-domain': () => msg`This is not a domain. Write it like example.org or *.example.org.`,
  'in-future': () => msg`This date is in the future. Choose today or earlier.`,
  'in-past': () => msg`Choose today or a later date.`,
  'locked-by-preset': () => msg`The preset of this scan decides this value.`,
  'locked-by-script': () => msg`A shared script already defines this variable. Remove it here.`,
  invalid: () => msg`This value is not accepted.`,
}

/** Returns a translatable description of an invalid field value, with its limits as in the user's language. */
export function getFieldErrorMessage(code: string, params: ErrorParams = {}): MessageDescriptor {
  const formattedParams = Object.fromEntries(Object.entries(params).map(([name, limit]) => [name, formatLimit(limit)]))
  const { min = '', max = '' } = formattedParams
  if (code === 'too-small' && isDay(params['min'])) return msg`Choose ${min} or later.`
  if (code === 'too-big' && isDay(params['max'])) return msg`Choose ${max} or earlier.`
  return (fieldErrorMessages[code as FieldError['code']] ?? fieldErrorMessages.invalid)(formattedParams)
}
