import * as z from 'zod/mini'
import { ScanId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'

/** How a site asks who is there. `ntlm` and `ntlm_ss` are one mechanism in Chromium: NTLMv2 with session security. */
export const AuthType = z.enum(['basic', 'ntlm', 'ntlm_ss', 'kerberos', 'client_cer'])
export type AuthType = z.output<typeof AuthType>
export const KeystoreType = z.enum(['JKS', 'PKCS12'])
export type KeystoreType = z.output<typeof KeystoreType>

/** `domain\user` or `user@domain`. */
export const ntlmUser = /^([^\\@/\s]+\\[^\\@\s]+|[^\\@\s]+@[^\\@\s]+)$/

const username = z.string().check(z.minLength(1), z.maxLength(255))
/** A secret: kept apart and encrypted, answered as null. Null in an update keeps what is stored. */
const secret = z.nullable(z.string().check(z.minLength(1), z.maxLength(1000)))
const withDomain = username.check(z.regex(ntlmUser))

/** The sign-in that the site's server itself asks for. */
export const SessionConnection = z.discriminatedUnion('authType', [
  z.strictObject({ authType: z.literal('basic'), username, password: secret }),
  z.strictObject({ authType: z.literal('ntlm'), username: withDomain, password: secret }),
  z.strictObject({ authType: z.literal('ntlm_ss'), username: withDomain, password: secret }),
  /** `user@REALM`, or `user` in the default realm of the worker's machine. */
  z.strictObject({
    authType: z.literal('kerberos'),
    username: username.check(z.regex(/^[^-]/)),
    password: secret,
  }),
  z.strictObject({
    authType: z.literal('client_cer'),
    keystoreType: KeystoreType,
    keystoreName: z.string().check(z.minLength(1), z.maxLength(255)),
    /** The file in base64, a secret like the password. */
    keystore: z.nullable(
      z
        .string()
        .check(z.minLength(1), z.maxLength(Math.ceil(defaultLimits.keystoreBytes / 3) * 4), z.base64()),
    ),
    keystorePassword: secret,
  }),
])
export type SessionConnection = z.output<typeof SessionConnection>

/** By what a page is known to be seen signed in, or signed out: part of its URL, an element, a text. */
export const SignInMark = z.strictObject({
  means: z.enum(['signed-in', 'signed-out']),
  kind: z.enum(['url', 'selector', 'text']),
  value: z.string().check(z.minLength(1), z.maxLength(1000)),
})
export type SignInMark = z.output<typeof SignInMark>

/** How a scan signs in. Credentials go to hosts of the scan's domains only. */
export const ScanSession = z.strictObject({
  connection: z._default(z.nullable(SessionConnection), null),
  mark: z._default(z.nullable(SignInMark), null),
})
export type ScanSession = z.output<typeof ScanSession>

/** A session connection to check. `scanId`: what is null in it means what that scan has stored. */
export const SessionTask = z.strictObject({
  connection: SessionConnection,
  scanId: z.optional(ScanId),
})

/** `message` is one that scripts of others may compare with: "Invalid keystore format!", "Incorrect password!". */
export const SessionValidation = z.union([
  z.object({
    success: z.literal(true),
    /** Of a client certificate; null for the other types. */
    certificate: z.nullable(z.object({ subject: z.string(), validTo: z.string() })),
  }),
  z.object({
    success: z.literal(false),
    message: z.string(),
    code: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
])
export type SessionValidation = z.output<typeof SessionValidation>
