import * as z from 'zod/mini'
import { defaultLimits } from '../../../kit/limit.ts'
import { pagingOrAllQuery } from '../../../kit/paging.ts'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'
import { Colleague, MemberRole, MemberState } from '../schema.ts'

/** Length limits of a new password. Other requirements: it must not be a common one. */
export const passwordLengthLimits = { min: 12, max: 500 } as const
const maxEmailLength = 254

/**
 * An email address that can be delivered: a local part whose dots are between other characters, and a host of labels. Invisible
 * characters, which look like another address, are not part of it (RFC 5321, RFC 6531).
 */
export const EmailAddress = z
  .string()
  .check(
    z.trim(),
    z.regex(
      /^(?!\.)(?!.*\.\.)[^\p{C}\p{Z}@<>()[\],;:"\\]+(?<!\.)@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?(?:\.(?=.)|$))+$/u,
    ),
    z.maxLength(maxEmailLength),
  )

/** A person's account at the embedded identity provider. */
export const Account = z.extend(Colleague, { role: MemberRole, state: MemberState, twoFactor: z.boolean() })
export type Account = z.output<typeof Account>

export const AccountListQuery = z.object(pagingOrAllQuery)

export const InvitationBody = z.strictObject({ email: EmailAddress, role: MemberRole })
export const AccountBody = z.strictObject({ role: MemberRole })

/** A one-time link for setting a password. `link` is null if it was sent by mail; otherwise it is returned only here. */
export const Issued = z.object({
  id: z.string(),
  email: z.nullable(z.string()),
  link: z.nullable(z.string()),
  expiresAt: Instant,
})
export type Issued = z.output<typeof Issued>

/** Maximum number of people that one file may invite. */
export const maxInvitations = 1000

/** A CSV file with the columns email, name and role. With `check`, nothing is changed. */
export const AccountImportBody = z.strictObject({
  filename: z.string().check(z.minLength(1), z.maxLength(255)),
  content: z.string().check(z.maxLength(defaultLimits.importLength)),
  check: z._default(z.boolean(), false),
})

export const accountImportFaults = [
  'unreadable',
  'missing-column',
  'too-many-rows',
  'empty',
  'bad-email',
  'bad-role',
  'duplicate',
  'email-taken',
] as const
export const AccountImportFault = z.object({ line: z.int(), code: z.enum(accountImportFaults), value: z.string() })
export type AccountImportFault = z.output<typeof AccountImportFault>

/** All lines, or none and every fault. `invited` contains the links if no mail server is configured. */
export const AccountImportReply = z.union([
  z.object({
    success: z.literal(true),
    lines: z.array(z.object({ line: z.int(), email: z.string(), role: MemberRole })),
    invited: z.array(Issued),
  }),
  z.object({ success: z.literal(false), errors: z.array(AccountImportFault) }),
])
export type AccountImportReply = z.output<typeof AccountImportReply>

const personName = z.string().check(z.trim(), z.maxLength(255))
/** The current password, confirmed before actions that must not be possible in an unattended session. */
const currentPassword = z.string().check(z.minLength(1), z.maxLength(passwordLengthLimits.max))
const verificationCode = z.string().check(z.trim(), z.minLength(1), z.maxLength(100))

export const OwnSession = z.object({
  id: z.string(),
  /** User agent as sent by the browser. */
  agent: z.string(),
  address: z.string(),
  startedAt: Instant,
  seenAt: Instant,
  isCurrent: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

/** A key on a device, or in a password manager, that signs in without a password. */
export const Passkey = z.object({ id: z.string(), name: z.string(), createdAt: Instant, usedAt: z.nullable(Instant) })
export type Passkey = z.output<typeof Passkey>
/** Maximum number of passkeys per account. */
export const maxPasskeys = 20

/** The caller's account at the embedded identity provider. */
export const OwnAccount = z.extend(Colleague, {
  hasTotp: z.boolean(),
  passkeys: z.array(Passkey),
  /** True if a new email address can be confirmed: a mail server is configured. */
  canChangeEmail: z.boolean(),
  /** True if browsers support passkeys for the product's URL, which requires https and a host name, or localhost. */
  canUsePasskeys: z.boolean(),
  /** Number of remaining codes. */
  recoveryCodes: Count,
  /** True if the person's role requires a second factor. */
  needsSecond: z.boolean(),
  sessions: z.array(OwnSession),
})
export type OwnAccount = z.output<typeof OwnAccount>

export const OwnNameBody = z.strictObject({ firstName: personName, lastName: personName })
/** Base64url-encoded bytes, as browsers serialize them in JSON. */
const createBase64Url = (maxLength: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(maxLength))
const passkeyIdSchema = createBase64Url(1400)
const clientDataSchema = createBase64Url(4000)

/** Response of a browser that used a passkey. */
export const PasskeyProof = z.object({
  id: passkeyIdSchema,
  rawId: passkeyIdSchema,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: clientDataSchema,
    authenticatorData: createBase64Url(4000),
    signature: createBase64Url(4000),
  }),
})
export type PasskeyProof = z.output<typeof PasskeyProof>
/** Response of a browser that created a passkey. */
export const NewPasskey = z.object({
  id: passkeyIdSchema,
  rawId: passkeyIdSchema,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: clientDataSchema, attestationObject: createBase64Url(16_000) }),
})
export type NewPasskey = z.output<typeof NewPasskey>
/** Passkey options for the browser, as parsed by `PublicKeyCredential`. */
export const PasskeyRequest = z.record(z.string(), z.unknown())

/** Re-authentication: the password and, with a second factor, a code of the app or a recovery code in `second`; or a passkey. */
const confirmationFields = {
  password: z.optional(currentPassword),
  second: z.optional(verificationCode),
  passkey: z.optional(PasskeyProof),
}
export const ConfirmBody = z.strictObject(confirmationFields)
export type Confirmation = z.output<typeof ConfirmBody>
export const OwnEmailBody = z.strictObject({ ...confirmationFields, email: EmailAddress })
export const OwnPasswordBody = z.strictObject({ password: currentPassword, newPassword: z.string().check(z.maxLength(1000)) })
export const NewPasskeyBody = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  passkey: NewPasskey,
})

/** Setup data for an authenticator app: scanned or typed. */
export const TotpOffer = z.object({
  secret: z.string(),
  uri: z.string(),
  /** The QR code, as an SVG. */
  picture: z.string(),
})
export const TotpBody = z.strictObject({
  ...confirmationFields,
  secret: z.string().check(z.maxLength(100)),
  code: verificationCode,
})
/** Returned once; empty if the previous codes stay valid. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) })
