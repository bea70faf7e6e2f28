import * as z from 'zod/mini'
import { defaultLimits } from '../../../kit/limit.ts'
import { pagingOrAll } from '../../../kit/paging.ts'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'
import { Colleague, MemberRole, MemberState } from '../schema.ts'

/** Characters of a password that people choose; nothing is asked of it but that it is long and not a common one. */
export const passwordLength = { min: 12, max: 500 } as const
/** Characters of an address that mail can be sent to. */
const mostEmail = 254

export const EmailAddress = z
  .string()
  .check(z.trim(), z.regex(/^[^\s@<>]+@[^\s@<>]+$/), z.maxLength(mostEmail))

/** A person as the embedded identity provider knows them. */
export const Account = z.extend(Colleague, { role: MemberRole, state: MemberState, twoFactor: z.boolean() })
export type Account = z.output<typeof Account>

export const AccountListQuery = z.object(pagingOrAll)

export const InvitationBody = z.strictObject({ email: EmailAddress, role: MemberRole })
export const AccountBody = z.strictObject({ role: MemberRole })

/** A link that lets somebody set a password, once. `link` is null when it went by mail; else it is shown here only. */
export const Issued = z.object({
  id: z.string(),
  email: z.nullable(z.string()),
  link: z.nullable(z.string()),
  expiresAt: Instant,
})
export type Issued = z.output<typeof Issued>

/** People that one file may invite. */
export const mostInvited = 1000

/** A CSV file with the columns email, name and role. With `check` nothing is done. */
export const AccountImportBody = z.strictObject({
  filename: z.string().check(z.minLength(1), z.maxLength(255)),
  content: z.string().check(z.maxLength(defaultLimits.importLength)),
  check: z._default(z.boolean(), false),
})

/** What can be wrong with a line of that file. */
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
export const AccountImportFault = z.object({
  line: z.int(),
  code: z.enum(accountImportFaults),
  value: z.string(),
})
export type AccountImportFault = z.output<typeof AccountImportFault>

/** All lines, or none and every fault. `invited` holds the links where no mail server is set. */
export const AccountImportReply = z.union([
  z.object({
    success: z.literal(true),
    lines: z.array(z.object({ line: z.int(), email: z.string(), role: MemberRole })),
    invited: z.array(Issued),
  }),
  z.object({ success: z.literal(false), errors: z.array(AccountImportFault) }),
])
export type AccountImportReply = z.output<typeof AccountImportReply>

const name = z.string().check(z.trim(), z.maxLength(255))
/** One's own password, asked for again before what an open window must not allow to whoever passes by. */
const password = z.string().check(z.minLength(1), z.maxLength(passwordLength.max))
const code = z.string().check(z.trim(), z.minLength(1), z.maxLength(100))

/** Where somebody is signed in. */
export const OwnSession = z.object({
  id: z.string(),
  /** As the browser names itself. */
  agent: z.string(),
  address: z.string(),
  startedAt: Instant,
  seenAt: Instant,
  isCurrent: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

/** A key on a device, or in a password manager, that signs in by itself. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: Instant,
  usedAt: z.nullable(Instant),
})
export type Passkey = z.output<typeof Passkey>
/** Passkeys that one account may have. */
export const mostPasskeys = 20

/** The caller's account at the embedded identity provider. */
export const OwnAccount = z.extend(Colleague, {
  hasTotp: z.boolean(),
  passkeys: z.array(Passkey),
  /** Whether another email can be confirmed: there is a mail server. */
  canChangeEmail: z.boolean(),
  /** Whether browsers make passkeys for the URL of the product: it needs https and a name, or localhost. */
  canUsePasskeys: z.boolean(),
  /** Codes that are left. */
  recoveryCodes: Count,
  /** Whether the person's role needs a second factor. */
  needsSecond: z.boolean(),
  sessions: z.array(OwnSession),
})
export type OwnAccount = z.output<typeof OwnAccount>

export const OwnNameBody = z.strictObject({ firstName: name, lastName: name })
/** Bytes as browsers write them in JSON. */
const bytes = (most: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(most))
const passkeyId = bytes(1400)
const clientData = bytes(4000)

/** What a browser answers when it has used a passkey. */
export const PasskeyProof = z.object({
  id: passkeyId,
  rawId: passkeyId,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: clientData, authenticatorData: bytes(4000), signature: bytes(4000) }),
})
export type PasskeyProof = z.output<typeof PasskeyProof>
/** What a browser answers when it has made a passkey. */
export const NewPasskey = z.object({
  id: passkeyId,
  rawId: passkeyId,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: clientData, attestationObject: bytes(16_000) }),
})
export type NewPasskey = z.output<typeof NewPasskey>
/** What the browser is to be asked for, as `PublicKeyCredential` parses it. */
export const PasskeyRequest = z.record(z.string(), z.unknown())

/**
 * Who it is, asked again: the password, with `second`, a code of the authenticator app or a recovery code, from whoever has a
 * second factor; or a passkey alone.
 */
const confirmation = {
  password: z.optional(password),
  second: z.optional(code),
  passkey: z.optional(PasskeyProof),
}
export const ConfirmBody = z.strictObject(confirmation)
export type Confirmation = z.output<typeof ConfirmBody>
export const OwnEmailBody = z.strictObject({ ...confirmation, email: EmailAddress })
export const OwnPasswordBody = z.strictObject({ password, newPassword: z.string().check(z.maxLength(1000)) })
export const NewPasskeyBody = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  passkey: NewPasskey,
})

/** What an authenticator app takes: by its camera, or typed. */
export const TotpOffer = z.object({
  secret: z.string(),
  uri: z.string(),
  /** The QR code, as an SVG. */
  picture: z.string(),
})
export const TotpBody = z.strictObject({ ...confirmation, secret: z.string().check(z.maxLength(100)), code })
/** Shown this once; none when those of before stay good. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) })
