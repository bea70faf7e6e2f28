import { NewPasskey, PasskeyProof } from '@clearway/contract/account/member/provider/schema.ts'

/** Passkey options from the server for the browser's API. */
type PasskeyOptions = Record<string, unknown>

export const hasPasskeys = (): boolean => typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function'

/** No passkey was used or created: cancelled, timed out or none available. `known`: this device already has one. */
export class NoPasskey extends Error {
  readonly kind: 'shown' | 'made' | 'known'
  constructor(kind: 'shown' | 'made', cause: unknown) {
    super(`No passkey was ${kind}`, { cause })
    this.kind = cause instanceof DOMException && cause.name === 'InvalidStateError' ? 'known' : kind
  }
}

async function resolveCredential(kind: 'shown' | 'made', credentialPromise: Promise<Credential | null>): Promise<unknown> {
  const browserCredential = await credentialPromise.catch((error: unknown) => {
    throw new NoPasskey(kind, error)
  })
  if (!(browserCredential instanceof PublicKeyCredential)) throw new NoPasskey(kind, null)
  return browserCredential.toJSON()
}

export async function createPasskey(options: PasskeyOptions): Promise<NewPasskey> {
  const creationOptions = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  return NewPasskey.parse(await resolveCredential('made', navigator.credentials.create({ publicKey: creationOptions })))
}

export async function promptPasskey(options: PasskeyOptions): Promise<PasskeyProof> {
  const requestOptions = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  return PasskeyProof.parse(await resolveCredential('shown', navigator.credentials.get({ publicKey: requestOptions })))
}
