import { createDecipheriv, createHash, createCipheriv } from 'node:crypto'
import {
  isArray,
  isDict,
  isName,
  isRef,
  isString,
  type PdfDict,
  type PdfRef,
  type PdfValue,
} from './value.ts'

/** Decrypts strings and streams of one file, each with the key that its object gives. */
export type Decryption = {
  string(raw: string, owner: PdfRef): string
  stream(bytes: Uint8Array, owner: PdfRef): Uint8Array
}

type Method = 'none' | 'rc4' | 'aes128' | 'aes256'

const md5 = (...parts: Uint8Array[]): Uint8Array => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const sha = (bits: 256 | 384 | 512, bytes: Uint8Array): Buffer =>
  createHash(`sha${bits}`).update(bytes).digest()
const bytesOf = (raw: string): Uint8Array => new Uint8Array(Buffer.from(raw, 'latin1'))

/** OpenSSL has no RC4 any more. */
function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  let j = 0
  for (let i = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    ;[state[i], state[j]] = [state[j]!, state[i]!]
  }
  const out = new Uint8Array(data.length)
  let a = 0
  let b = 0
  for (let k = 0; k < data.length; k++) {
    a = (a + 1) & 255
    b = (b + state[a]!) & 255
    ;[state[a], state[b]] = [state[b]!, state[a]!]
    out[k] = data[k]! ^ state[(state[a]! + state[b]!) & 255]!
  }
  return out
}

function aesCbc(key: Uint8Array, data: Uint8Array): Uint8Array {
  if (data.length < 32) return new Uint8Array(0)
  const decipher = createDecipheriv(
    key.length === 32 ? 'aes-256-cbc' : 'aes-128-cbc',
    key,
    data.subarray(0, 16),
  )
  decipher.setAutoPadding(false)
  const body = data.subarray(16, data.length - (data.length % 16))
  const plain = Buffer.concat([decipher.update(body), decipher.final()])
  const padding = plain.at(-1) ?? 0
  return new Uint8Array(padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : plain)
}

const padding = Uint8Array.from([
  0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08, 0x2e, 0x2e,
  0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
])

type Handler = {
  revision: number
  keyBytes: number
  owner: Uint8Array
  user: Uint8Array
  permissions: number
  id: Uint8Array
  encryptMetadata: boolean
}

/** The file's key for the empty user password, revisions 2 to 4; null when that password does not open it. */
function fileKey(handler: Handler): Uint8Array | null {
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(handler.permissions | 0)
  const extra =
    handler.revision >= 4 && !handler.encryptMetadata ? Uint8Array.of(255, 255, 255, 255) : new Uint8Array(0)
  let key = md5(padding, handler.owner.subarray(0, 32), permissions, handler.id, extra)
  if (handler.revision >= 3) for (let i = 0; i < 50; i++) key = md5(key.subarray(0, handler.keyBytes))
  key = key.subarray(0, handler.keyBytes)
  return opensUser(handler, key) ? key : null
}

function opensUser(handler: Handler, key: Uint8Array): boolean {
  if (handler.revision === 2) return Buffer.compare(rc4(key, padding), handler.user.subarray(0, 32)) === 0
  let value = rc4(key, md5(padding, handler.id))
  for (let i = 1; i <= 19; i++)
    value = rc4(
      key.map((byte) => byte ^ i),
      value,
    )
  return Buffer.compare(value.subarray(0, 16), handler.user.subarray(0, 16)) === 0
}

/** ISO 32000-2, algorithm 2.B, for the empty password. */
function hardenedHash(salt: Uint8Array): Uint8Array {
  let key: Buffer = sha(256, salt)
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const block = Buffer.alloc(key.length * 64)
    for (let i = 0; i < 64; i++) key.copy(block, i * key.length)
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32))
    cipher.setAutoPadding(false)
    const mixed = cipher.update(block)
    const rest = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = sha(rest === 0 ? 256 : rest === 1 ? 384 : 512, mixed)
    last = mixed.at(-1)!
  }
  return key.subarray(0, 32)
}

/** The file's key for the empty user password, revisions 5 and 6; null when that password does not open it. */
function fileKey256(handler: Handler, wrapped: Uint8Array): Uint8Array | null {
  const hash = handler.revision >= 6 ? hardenedHash : (salt: Uint8Array) => sha(256, salt)
  const validation = hash(handler.user.subarray(32, 40))
  if (Buffer.compare(validation, handler.user.subarray(0, 32)) !== 0) return null
  const key = hash(handler.user.subarray(40, 48))
  const decipher = createDecipheriv('aes-256-cbc', key, new Uint8Array(16))
  decipher.setAutoPadding(false)
  return decipher.update(wrapped.subarray(0, 32))
}

const methods: Record<string, Method> = { None: 'none', V2: 'rc4', AESV2: 'aes128', AESV3: 'aes256' }

function methodOf(encrypt: PdfDict, key: 'StmF' | 'StrF', version: number): Method {
  if (version < 4) return 'rc4'
  const filters = encrypt.entries.get('CF')
  const name = encrypt.entries.get(key)
  if (!isDict(filters) || !isName(name) || name.name === 'Identity') return 'none'
  const filter = filters.entries.get(name.name)
  const method = isDict(filter) ? filter.entries.get('CFM') : undefined
  return isName(method) ? (methods[method.name] ?? 'none') : 'none'
}

function decrypt(method: Method, key: Uint8Array, data: Uint8Array, owner: PdfRef): Uint8Array {
  if (method === 'none') return data
  if (method === 'aes256') return aesCbc(key, data)
  const { num, gen } = owner
  const object = Uint8Array.of(num & 255, (num >> 8) & 255, (num >> 16) & 255, gen & 255, (gen >> 8) & 255)
  const salt = method === 'aes128' ? Uint8Array.from([0x73, 0x41, 0x6c, 0x54]) : new Uint8Array(0)
  const own = md5(key, object, salt).subarray(0, Math.min(16, key.length + 5))
  return method === 'aes128' ? aesCbc(own, data) : rc4(own, data)
}

const rawOf = (value: PdfValue | undefined): Uint8Array =>
  isString(value) ? bytesOf(value.raw) : new Uint8Array(0)
const numberOf = (value: PdfValue | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise

/**
 * The decryption of a file that opens with the empty user password; null when it wants another one, or a handler that
 * is not the standard one. @param encrypt its dictionary, resolved @param id first element of the trailer's `ID`
 */
export function openDecryption(encrypt: PdfDict, id: PdfValue | undefined): Decryption | null {
  const get = (key: string) => encrypt.entries.get(key)
  const filter = get('Filter')
  const version = numberOf(get('V'), 0)
  const revision = numberOf(get('R'), 0)
  if (!isName(filter) || filter.name !== 'Standard' || ![1, 2, 4, 5].includes(version)) return null
  const first = isArray(id) ? id.items[0] : undefined
  const bits = version === 4 ? 128 : numberOf(get('Length'), 40)
  const handler: Handler = {
    revision,
    keyBytes: version === 1 ? 5 : Math.min(16, Math.max(5, bits >> 3)),
    owner: rawOf(get('O')),
    user: rawOf(get('U')),
    permissions: numberOf(get('P'), 0),
    id: isRef(first) ? new Uint8Array(0) : rawOf(first),
    encryptMetadata: get('EncryptMetadata') !== false,
  }
  const key = version === 5 ? fileKey256(handler, rawOf(get('UE'))) : fileKey(handler)
  if (!key) return null
  const streams = methodOf(encrypt, 'StmF', version)
  const strings = methodOf(encrypt, 'StrF', version)
  return {
    string: (raw, owner) => Buffer.from(decrypt(strings, key, bytesOf(raw), owner)).toString('latin1'),
    stream: (bytes, owner) => decrypt(streams, key, bytes, owner),
  }
}
