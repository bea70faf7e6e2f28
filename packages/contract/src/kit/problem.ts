import * as z from 'zod/mini'

/** Every problem code with its HTTP status, English title and default detail. The web translates codes. */
export const problemsByCode = {
  'bad-request': {
    status: 400,
    title: 'The request cannot be read',
    detail: 'The body or the URL is not well-formed, or the connection ended within the body.',
  },
  'validation-failed': {
    status: 400,
    title: 'Some values are not accepted',
    detail: 'Each entry of errors names a value and what is wrong with it.',
  },
  'not-signed-in': { status: 401, title: 'Sign in first', detail: 'Send a token: Authorization: Bearer …' },
  'token-rejected': {
    status: 401,
    title: 'The sign-in token is not valid',
    detail: 'It has expired, was revoked, or is meant for another service. Get a new one.',
  },
  'access-denied': {
    status: 403,
    title: 'Your role does not allow this',
    detail: 'Ask an administrator of the scan or of the product for another role.',
  },
  'sign-in-again': { status: 403, title: 'Sign in again to do this', detail: 'The last sign-in is too long ago for this call.' },
  'no-access': { status: 403, title: 'Your account has no access to this product', detail: 'Ask an administrator for access.' },
  'not-found': { status: 404, title: 'It does not exist, or you cannot see it', detail: 'Check the URL and the ids in it.' },
  'method-not-allowed': {
    status: 405,
    title: 'This URL does not accept that method',
    detail: 'The Allow header lists the methods.',
  },
  'name-taken': { status: 409, title: 'The name is taken', detail: 'Choose another name.' },
  'edit-conflict': {
    status: 409,
    title: 'Someone else changed it in the meantime',
    detail: 'Load it again, and repeat the change.',
  },
  'run-active': { status: 409, title: 'A run is active already', detail: 'Wait until it ends, or cancel it.' },
  'run-not-active': { status: 409, title: 'No run is active', detail: 'It has ended already.' },
  'last-admin': {
    status: 409,
    title: 'There has to be at least one administrator',
    detail: 'Make someone else an administrator first.',
  },
  'last-factor': { status: 409, title: 'The role needs a second factor', detail: 'Set up another second factor first.' },
  'in-use': { status: 409, title: 'It is in use', detail: 'Remove it from the scans that use it first.' },
  'locked-by-preset': {
    status: 409,
    title: 'The preset of the scan does not allow this',
    detail: 'An administrator can change the preset, or remove it from the scan.',
  },
  'not-recheckable': {
    status: 409,
    title: 'This page cannot be checked again by itself',
    detail: 'It is tested again in the next run.',
  },
  'no-browser': { status: 409, title: 'No browser can be started', detail: 'The health page states the reason.' },
  'quota-scans': {
    status: 409,
    title: 'The quota of scans per person is reached',
    detail: 'Delete scans, or ask an administrator for a higher quota.',
  },
  'quota-receivers': {
    status: 409,
    title: 'The quota of email recipients per scan is reached',
    detail: 'Remove recipients, or ask an administrator for a higher quota.',
  },
  'quota-views': {
    status: 409,
    title: 'The quota of saved views per person is reached',
    detail: 'Delete saved views, or ask an administrator for a higher quota.',
  },
  'quota-runs': {
    status: 429,
    title: 'The quota of runs at once per person is reached',
    detail: 'Wait until a run ends, or ask an administrator for a higher quota.',
  },
  'quota-tries': { status: 429, title: 'The quota of previews and dry runs at once is reached', detail: 'Wait until one ends.' },
  'quota-uploads': {
    status: 429,
    title: 'The quota of uploads per person and day is reached',
    detail: 'Try again tomorrow, or ask an administrator for a higher quota.',
  },
  'too-large': { status: 413, title: 'The request is too large', detail: 'Send less, or in several requests.' },
  'unsupported-type': {
    status: 415,
    title: 'This content type is not accepted',
    detail: 'Send the content type that the API documentation names.',
  },
  'too-many-requests': { status: 429, title: 'Too many requests', detail: 'Wait for the seconds of the Retry-After header.' },
  'server-error': { status: 500, title: 'The server failed', detail: 'The server log has the reason under the request id.' },
  'server-busy': { status: 503, title: 'The server is busy', detail: 'Try again after the seconds of the Retry-After header.' },
  maintenance: { status: 503, title: 'The system is undergoing maintenance', detail: 'Try again in some minutes.' },
  'database-unavailable': {
    status: 503,
    title: 'The database does not answer',
    detail: 'Try again in some seconds; the health page shows the state.',
  },
  'store-unavailable': {
    status: 503,
    title: 'The object store does not answer',
    detail: 'Try again in some seconds; the health page shows the state.',
  },
  'disk-full': { status: 507, title: 'The disk is full', detail: 'An administrator has to free space on the server.' },
} as const satisfies Record<string, { status: number; title: string; detail: string }>

export type ProblemCode = keyof typeof problemsByCode

/** Codes for invalid values. `params` fill the translated text (`{max}`, `{value}`…). */
export const fieldErrorCodes = [
  'required',
  'wrong-type',
  'too-short',
  'too-long',
  'too-small',
  'too-big',
  'unknown-value',
  'unknown-field',
  'wrong-format',
  'duplicate',
  'name-taken',
  'bad-email',
  'not-sent',
  'common-password',
  'personal-password',
  'wrong-password',
  'wrong-code',
  'wrong-passkey',
  'bad-url',
  'url-credentials',
  'url-scheme',
  'outside-domains',
  'bad-domain',
  'in-past',
  'in-future',
  'locked-by-preset',
  'locked-by-script',
  'invalid',
] as const
export const FieldError = z.object({
  /** Path into the body or query: `urls.0`. */
  path: z.string(),
  code: z.enum(fieldErrorCodes),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type FieldError = z.output<typeof FieldError>

/** RFC 9457 problem details, `application/problem+json`. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(problemsByCode) as [ProblemCode, ...ProblemCode[]]),
  errors: z.optional(z.array(FieldError)),
  requestId: z.string(),
})
export type Problem = z.output<typeof Problem>
