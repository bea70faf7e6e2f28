import * as z from 'zod/mini'

/** Every problem code with its HTTP status and English title. The web translates codes. */
export const problemsByCode = {
  'bad-request': { status: 400, title: 'The request cannot be read' },
  'validation-failed': { status: 400, title: 'Some values are not accepted' },
  'not-signed-in': { status: 401, title: 'Sign in first' },
  'token-rejected': { status: 401, title: 'The sign-in token is not valid' },
  'access-denied': { status: 403, title: 'Your role does not allow this' },
  'sign-in-again': { status: 403, title: 'Sign in again to do this' },
  'no-access': { status: 403, title: 'Your account has no access to this product' },
  'not-found': { status: 404, title: 'It does not exist, or you cannot see it' },
  'method-not-allowed': { status: 405, title: 'This URL does not accept that method' },
  'name-taken': { status: 409, title: 'The name is taken' },
  'edit-conflict': { status: 409, title: 'Someone else changed it in the meantime' },
  'run-active': { status: 409, title: 'A run is active already' },
  'run-not-active': { status: 409, title: 'No run is active' },
  'last-admin': { status: 409, title: 'There has to be at least one administrator' },
  'last-factor': { status: 409, title: 'The role needs a second factor' },
  'in-use': { status: 409, title: 'It is in use' },
  'locked-by-preset': { status: 409, title: 'The preset of the scan does not allow this' },
  'not-recheckable': { status: 409, title: 'This page cannot be checked again by itself' },
  'no-browser': { status: 409, title: 'No browser can be started' },
  'quota-scans': { status: 409, title: 'The quota of scans per person is reached' },
  'quota-receivers': { status: 409, title: 'The quota of email recipients per scan is reached' },
  'quota-views': { status: 409, title: 'The quota of saved views per person is reached' },
  'quota-runs': { status: 429, title: 'The quota of runs at once per person is reached' },
  'quota-tries': { status: 429, title: 'The quota of previews and dry runs at once is reached' },
  'quota-uploads': { status: 429, title: 'The quota of uploads per person and day is reached' },
  'too-large': { status: 413, title: 'The request is too large' },
  'unsupported-type': { status: 415, title: 'This content type is not accepted' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'server-error': { status: 500, title: 'The server failed' },
  'server-busy': { status: 503, title: 'The server is busy' },
  maintenance: { status: 503, title: 'The system is undergoing maintenance' },
  'database-unavailable': { status: 503, title: 'The database does not answer' },
  'store-unavailable': { status: 503, title: 'The object store does not answer' },
  'disk-full': { status: 507, title: 'The disk is full' },
} as const satisfies Record<string, { status: number; title: string }>

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
  detail: z.optional(z.string()),
  code: z.enum(Object.keys(problemsByCode) as [ProblemCode, ...ProblemCode[]]),
  errors: z.optional(z.array(FieldError)),
  requestId: z.string(),
})
export type Problem = z.output<typeof Problem>
