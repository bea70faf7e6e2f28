import { NewPasskey, PasskeyProof } from '@clearway/contract/account/member/provider/schema.ts'

/** What the server says that the browser is to be asked. */
type Asked = Record<string, unknown>

/** Whether this browser has passkeys. */
export const hasPasskeys = (): boolean =>
  typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function'

/** Nobody showed or made a passkey: called off, too late, or none is there. `known` when this device has one already. */
export class NoPasskey extends Error {
  readonly kind: 'shown' | 'made' | 'known'
  constructor(kind: 'shown' | 'made', cause: unknown) {
    super(`No passkey was ${kind}`, { cause })
    this.kind = cause instanceof DOMException && cause.name === 'InvalidStateError' ? 'known' : kind
  }
}

async function answerOf(kind: 'shown' | 'made', asked: Promise<Credential | null>): Promise<unknown> {
  const credential = await asked.catch((error: unknown) => {
    throw new NoPasskey(kind, error)
  })
  if (!(credential instanceof PublicKeyCredential)) throw new NoPasskey(kind, null)
  return credential.toJSON()
}

/** Asks the browser to make a passkey. */
export async function makePasskey(asked: Asked): Promise<NewPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked as never)
  return NewPasskey.parse(await answerOf('made', navigator.credentials.create({ publicKey })))
}

/** Asks the browser to show a passkey that it has. */
export async function showPasskey(asked: Asked): Promise<PasskeyProof> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked as never)
  return PasskeyProof.parse(await answerOf('shown', navigator.credentials.get({ publicKey })))
}
