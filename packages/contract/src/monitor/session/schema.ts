import * as z from 'zod/mini'
import { ScanId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'

/** Sign-in by a form on a page, or by a method of the server. `ntlm` and `ntlm_ss` are identical in Chromium: NTLMv2. */
export const AuthType = z.enum(['form', 'basic', 'ntlm', 'ntlm_ss', 'kerberos', 'client_cer'])
export type AuthType = z.output<typeof AuthType>
export const KeystoreType = z.enum(['JKS', 'PKCS12'])
export type KeystoreType = z.output<typeof KeystoreType>

/** `domain\user` or `user@domain`. */
export const ntlmUserPattern = /^([^\\@/\s]+\\[^\\@\s]+|[^\\@\s]+@[^\\@\s]+)$/

const usernameSchema = z.string().check(z.minLength(1), z.maxLength(255))
/** A secret: stored separately and encrypted, returned as null. Null in an update keeps the stored value. */
const secretSchema = z.nullable(z.string().check(z.minLength(1), z.maxLength(1000)))
const domainUserSchema = usernameSchema.check(z.regex(ntlmUserPattern))

/** Secret of one-time codes as authenticator apps get it: Base32, or an `otpauth:` address. */
export const codeSecretPattern = /^(?:otpauth:\/\/totp\/\S+|(?:[\s-]*[A-Za-z2-7]){8,}[\s=-]*)$/

/** Sign-in on a page of the site, or requested by its server. */
export const SessionConnection = z.discriminatedUnion('authType', [
  z.strictObject({
    authType: z.literal('form'),
    /** Page with the form, also on another host than the scan's. */
    url: z.string().check(z.trim(), z.minLength(1), z.maxLength(4000)),
    username: usernameSchema,
    password: secretSchema,
    /** The site asks for a one-time code. Without it, there is no `codeSecret`. */
    hasCode: z._default(z.boolean(), false),
    codeSecret: z._default(z.nullable(z.string().check(z.maxLength(1000), z.regex(codeSecretPattern))), null),
  }),
  z.strictObject({ authType: z.literal('basic'), username: usernameSchema, password: secretSchema }),
  z.strictObject({ authType: z.literal('ntlm'), username: domainUserSchema, password: secretSchema }),
  z.strictObject({ authType: z.literal('ntlm_ss'), username: domainUserSchema, password: secretSchema }),
  /** `user@REALM`, or `user` in the default realm of the worker's machine. */
  z.strictObject({ authType: z.literal('kerberos'), username: usernameSchema.check(z.regex(/^[^-]/)), password: secretSchema }),
  z.strictObject({
    authType: z.literal('client_cer'),
    keystoreType: KeystoreType,
    keystoreName: z.string().check(z.minLength(1), z.maxLength(255)),
    /** Base64-encoded file; a secret like the password. */
    keystore: z.nullable(
      z.string().check(z.minLength(1), z.maxLength(Math.ceil(defaultLimits.keystoreBytes / 3) * 4), z.base64()),
    ),
    keystorePassword: secretSchema,
  }),
])
export type SessionConnection = z.output<typeof SessionConnection>

/** One way in which a scan signs in. `name`: user, script or keystore file; null for readers who may not edit the scan. */
export const SignInWay = z.object({ kind: z.enum([...AuthType.options, 'script']), name: z.nullable(z.string()) })
export type SignInWay = z.output<typeof SignInWay>

/** Sign by which a page is recognized as signed in or signed out: part of its URL, an element, or a text. */
export const SignInMark = z.strictObject({
  means: z.enum(['signed-in', 'signed-out']),
  kind: z.enum(['url', 'selector', 'text']),
  value: z.string().check(z.minLength(1), z.maxLength(1000)),
})
export type SignInMark = z.output<typeof SignInMark>

/** Sign-in of a scan. Credentials are sent only to hosts of the scan's domains. */
export const ScanSession = z.strictObject({
  connection: z._default(z.nullable(SessionConnection), null),
  mark: z._default(z.nullable(SignInMark), null),
})
export type ScanSession = z.output<typeof ScanSession>

/** A session connection to check. `scanId`: null values are taken from that scan. */
export const SessionTask = z.strictObject({ connection: SessionConnection, scanId: z.optional(ScanId) })

/** Clients may compare `message`: "Invalid keystore format!", "Incorrect password!". */
export const SessionValidation = z.union([
  z.object({
    success: z.literal(true),
    /** Certificate of the keystore; null for the other types. */
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
