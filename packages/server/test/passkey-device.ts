import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { NewPasskey, PasskeyProof } from '@clearway/contract/account/member/provider/schema.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()

/** What a browser tells a device, and may tell it falsely in a test. */
type Asked = { challenge: string; origin: string; party: string; isVerified?: boolean; counter?: number }

/** A device with one passkey, as a browser would show it; in a test it does what it is told. */
export function passkeyDevice() {
  const id = randomBytes(16)
  const { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject } = generateKeyPairSync(
    'ec',
    {
      namedCurve: 'P-256',
    },
  )
  const { x, y } = publicKey.export({ format: 'jwk' })
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
    ]),
  )
  const clientData = (type: string, { challenge, origin }: Asked) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticator = ({ party, isVerified = true, counter = 0 }: Asked, more: number) => {
    const head = Buffer.alloc(5)
    head[0] = 0x01 | (isVerified ? 0x04 : 0) | more
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([hashOf(party), head])
  }
  const named = { id: text(id), rawId: text(id), type: 'public-key' as const }
  return {
    make(asked: Asked): NewPasskey {
      const length = Buffer.from([0, id.length])
      const authData = Buffer.concat([authenticator(asked, 0x40), Buffer.alloc(16), length, id, cose])
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData)],
        ]) as never,
      )
      const clientDataJSON = text(clientData('webauthn.create', asked))
      return { ...named, response: { clientDataJSON, attestationObject: text(attestation) } }
    },
    show(asked: Asked): PasskeyProof {
      const data = clientData('webauthn.get', asked)
      const authData = authenticator(asked, 0)
      const signature = text(sign('sha256', Buffer.concat([authData, hashOf(data)]), privateKey))
      const response = { clientDataJSON: text(data), authenticatorData: text(authData), signature }
      return { ...named, response }
    },
  }
}
