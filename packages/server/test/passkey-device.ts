import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { NewPasskey, PasskeyProof } from '@clearway/contract/account/member/provider/schema.ts'

const toBase64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const computeHash = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()

/** Data that a browser passes to a device; tests may falsify it. */
type DeviceRequest = { challenge: string; origin: string; party: string; isVerified?: boolean; counter?: number }

/** A device with one passkey, as seen through a browser; in a test it follows any instruction. */
export function createPasskeyDevice() {
  const id = randomBytes(16)
  const { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  })
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
  const buildClientData = (type: string, { challenge, origin }: DeviceRequest) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const buildAuthenticatorData = ({ party, isVerified = true, counter = 0 }: DeviceRequest, extraFlags: number) => {
    const head = Buffer.alloc(5)
    head[0] = 0x01 | (isVerified ? 0x04 : 0) | extraFlags
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([computeHash(party), head])
  }
  const credential = { id: toBase64Url(id), rawId: toBase64Url(id), type: 'public-key' as const }
  return {
    make(request: DeviceRequest): NewPasskey {
      const length = Buffer.from([0, id.length])
      const authData = Buffer.concat([buildAuthenticatorData(request, 0x40), Buffer.alloc(16), length, id, cose])
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData)],
        ]) as never,
      )
      const clientDataJSON = toBase64Url(buildClientData('webauthn.create', request))
      return { ...credential, response: { clientDataJSON, attestationObject: toBase64Url(attestation) } }
    },
    show(request: DeviceRequest): PasskeyProof {
      const clientDataJson = buildClientData('webauthn.get', request)
      const authData = buildAuthenticatorData(request, 0)
      const signature = toBase64Url(sign('sha256', Buffer.concat([authData, computeHash(clientDataJson)]), privateKey))
      const response = { clientDataJSON: toBase64Url(clientDataJson), authenticatorData: toBase64Url(authData), signature }
      return { ...credential, response }
    },
  }
}
