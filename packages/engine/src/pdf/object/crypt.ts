import { createDecipheriv, createHash, createCipheriv } from 'node:crypto'
import { isArray, isDict, isName, isRef, isString, type PdfDict, type PdfRef, type PdfValue } from './value.ts'

/** Decrypts the strings and streams of one file with the keys of their objects. */
export type Decryption = {
  /** Streams of metadata are not encrypted. */
  isMetadataPlain: boolean
  string(raw: string, owner: PdfRef): string
  stream(bytes: Uint8Array, owner: PdfRef): Uint8Array
}

type CipherMethod = 'none' | 'rc4' | 'aes128' | 'aes256'

const hashMd5 = (...parts: Uint8Array[]): Uint8Array => {
  const md5Hash = createHash('md5')
  for (const hashPart of parts) md5Hash.update(hashPart)
  return md5Hash.digest()
}
const hashSha = (keyBits: 256 | 384 | 512, bytes: Uint8Array): Buffer => createHash(`sha${keyBits}`).update(bytes).digest()
const toBytes = (raw: string): Uint8Array => new Uint8Array(Buffer.from(raw, 'latin1'))

/** OpenSSL no longer supports RC4. */
function applyRc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const rc4State = Uint8Array.from({ length: 256 }, (_, i) => i)
  let swapIndex = 0
  for (let i = 0; i < 256; i++) {
    swapIndex = (swapIndex + rc4State[i]! + key[i % key.length]!) & 255
    ;[rc4State[i], rc4State[swapIndex]] = [rc4State[swapIndex]!, rc4State[i]!]
  }
  const outputBytes = new Uint8Array(data.length)
  let stateIndex = 0
  let otherIndex = 0
  for (let byteIndex = 0; byteIndex < data.length; byteIndex++) {
    stateIndex = (stateIndex + 1) & 255
    otherIndex = (otherIndex + rc4State[stateIndex]!) & 255
    ;[rc4State[stateIndex], rc4State[otherIndex]] = [rc4State[otherIndex]!, rc4State[stateIndex]!]
    outputBytes[byteIndex] = data[byteIndex]! ^ rc4State[(rc4State[stateIndex]! + rc4State[otherIndex]!) & 255]!
  }
  return outputBytes
}

function decryptAesCbc(key: Uint8Array, data: Uint8Array): Uint8Array {
  if (data.length < 32) return new Uint8Array(0)
  const aesDecipher = createDecipheriv(key.length === 32 ? 'aes-256-cbc' : 'aes-128-cbc', key, data.subarray(0, 16))
  aesDecipher.setAutoPadding(false)
  const encryptedBody = data.subarray(16, data.length - (data.length % 16))
  const plainBytes = Buffer.concat([aesDecipher.update(encryptedBody), aesDecipher.final()])
  const paddingLength = plainBytes.at(-1) ?? 0
  return new Uint8Array(
    paddingLength >= 1 && paddingLength <= 16 ? plainBytes.subarray(0, plainBytes.length - paddingLength) : plainBytes,
  )
}

const passwordPadding = Uint8Array.from([
  0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08, 0x2e, 0x2e, 0x00, 0xb6, 0xd0,
  0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
])

type SecurityHandler = {
  revision: number
  keyBytes: number
  owner: Uint8Array
  user: Uint8Array
  permissions: number
  id: Uint8Array
  encryptMetadata: boolean
}

/** Computes the file key for the empty user password, revisions 2 to 4; null if that password is wrong. */
function computeFileKey(handler: SecurityHandler): Uint8Array | null {
  const permissionBytes = Buffer.alloc(4)
  permissionBytes.writeInt32LE(handler.permissions | 0)
  const extraBytes = handler.revision >= 4 && !handler.encryptMetadata ? Uint8Array.of(255, 255, 255, 255) : new Uint8Array(0)
  let derivedKey = hashMd5(passwordPadding, handler.owner.subarray(0, 32), permissionBytes, handler.id, extraBytes)
  if (handler.revision >= 3) for (let i = 0; i < 50; i++) derivedKey = hashMd5(derivedKey.subarray(0, handler.keyBytes))
  derivedKey = derivedKey.subarray(0, handler.keyBytes)
  return isUserKey(handler, derivedKey) ? derivedKey : null
}

function isUserKey(handler: SecurityHandler, key: Uint8Array): boolean {
  if (handler.revision === 2) return Buffer.compare(applyRc4(key, passwordPadding), handler.user.subarray(0, 32)) === 0
  let encryptedValue = applyRc4(key, hashMd5(passwordPadding, handler.id))
  for (let i = 1; i <= 19; i++)
    encryptedValue = applyRc4(
      key.map((byte) => byte ^ i),
      encryptedValue,
    )
  return Buffer.compare(encryptedValue.subarray(0, 16), handler.user.subarray(0, 16)) === 0
}

/** ISO 32000-2, algorithm 2.B, for the empty password. */
function computeHardenedHash(salt: Uint8Array): Uint8Array {
  let hashKey: Buffer = hashSha(256, salt)
  for (let roundIndex = 0, lastByte = 0; roundIndex < 64 || lastByte > roundIndex - 32; roundIndex++) {
    const roundBlock = Buffer.alloc(hashKey.length * 64)
    for (let i = 0; i < 64; i++) hashKey.copy(roundBlock, i * hashKey.length)
    const aesCipher = createCipheriv('aes-128-cbc', hashKey.subarray(0, 16), hashKey.subarray(16, 32))
    aesCipher.setAutoPadding(false)
    const mixedBytes = aesCipher.update(roundBlock)
    const hashSelector = mixedBytes.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    hashKey = hashSha(hashSelector === 0 ? 256 : hashSelector === 1 ? 384 : 512, mixedBytes)
    lastByte = mixedBytes.at(-1)!
  }
  return hashKey.subarray(0, 32)
}

/** Computes the file key for the empty user password, revisions 5 and 6; null if that password is wrong. */
function computeFileKey256(handler: SecurityHandler, wrappedKey: Uint8Array): Uint8Array | null {
  const computeHash = handler.revision >= 6 ? computeHardenedHash : (hashSalt: Uint8Array) => hashSha(256, hashSalt)
  const validationHash = computeHash(handler.user.subarray(32, 40))
  if (Buffer.compare(validationHash, handler.user.subarray(0, 32)) !== 0) return null
  const intermediateKey = computeHash(handler.user.subarray(40, 48))
  const keyDecipher = createDecipheriv('aes-256-cbc', intermediateKey, new Uint8Array(16))
  keyDecipher.setAutoPadding(false)
  return keyDecipher.update(wrappedKey.subarray(0, 32))
}

const cipherMethods: ReadonlyMap<string, CipherMethod> = new Map(
  Object.entries({
    None: 'none',
    V2: 'rc4',
    AESV2: 'aes128',
    AESV3: 'aes256',
  }),
)

function getCipherMethod(encrypt: PdfDict, key: 'StmF' | 'StrF', version: number): CipherMethod {
  if (version < 4) return 'rc4'
  const cryptFilters = encrypt.entries.get('CF')
  const filterName = encrypt.entries.get(key)
  if (!isDict(cryptFilters) || !isName(filterName) || filterName.name === 'Identity') return 'none'
  const cryptFilter = cryptFilters.entries.get(filterName.name)
  const methodName = isDict(cryptFilter) ? cryptFilter.entries.get('CFM') : undefined
  return isName(methodName) ? (cipherMethods.get(methodName.name) ?? 'none') : 'none'
}

function decryptObject(method: CipherMethod, key: Uint8Array, data: Uint8Array, owner: PdfRef): Uint8Array {
  if (method === 'none') return data
  if (method === 'aes256') return decryptAesCbc(key, data)
  const { num: objectNumber, gen: generation } = owner
  const objectBytes = Uint8Array.of(
    objectNumber & 255,
    (objectNumber >> 8) & 255,
    (objectNumber >> 16) & 255,
    generation & 255,
    (generation >> 8) & 255,
  )
  const aesSalt = method === 'aes128' ? Uint8Array.from([0x73, 0x41, 0x6c, 0x54]) : new Uint8Array(0)
  const objectKey = hashMd5(key, objectBytes, aesSalt).subarray(0, Math.min(16, key.length + 5))
  return method === 'aes128' ? decryptAesCbc(objectKey, data) : applyRc4(objectKey, data)
}

const readRawBytes = (value: PdfValue | undefined): Uint8Array => (isString(value) ? toBytes(value.raw) : new Uint8Array(0))
const readNumber = (value: PdfValue | undefined, defaultValue: number): number =>
  typeof value === 'number' ? value : defaultValue

/**
 * Opens the decryption of a file with the empty user password; null if another password or a non-standard handler is
 * required. @param encrypt resolved encryption dictionary @param id first element of the trailer's `ID`
 */
export function openDecryption(encrypt: PdfDict, id: PdfValue | undefined): Decryption | null {
  const getEntry = (key: string) => encrypt.entries.get(key)
  const handlerName = getEntry('Filter')
  const encryptVersion = readNumber(getEntry('V'), 0)
  const handlerRevision = readNumber(getEntry('R'), 0)
  if (!isName(handlerName) || handlerName.name !== 'Standard' || ![1, 2, 4, 5].includes(encryptVersion)) return null
  const firstId = isArray(id) ? id.items[0] : undefined
  const keyBits = encryptVersion === 4 ? 128 : readNumber(getEntry('Length'), 40)
  const securityHandler: SecurityHandler = {
    revision: handlerRevision,
    keyBytes: encryptVersion === 1 ? 5 : Math.min(16, Math.max(5, keyBits >> 3)),
    owner: readRawBytes(getEntry('O')),
    user: readRawBytes(getEntry('U')),
    permissions: readNumber(getEntry('P'), 0),
    id: isRef(firstId) ? new Uint8Array(0) : readRawBytes(firstId),
    encryptMetadata: getEntry('EncryptMetadata') !== false,
  }
  const openedKey =
    encryptVersion === 5 ? computeFileKey256(securityHandler, readRawBytes(getEntry('UE'))) : computeFileKey(securityHandler)
  if (!openedKey) return null
  const streamMethod = getCipherMethod(encrypt, 'StmF', encryptVersion)
  const stringMethod = getCipherMethod(encrypt, 'StrF', encryptVersion)
  return {
    // Revisions before 4 have no such entry.
    isMetadataPlain: encryptVersion >= 4 && !securityHandler.encryptMetadata,
    string: (raw, owner) => Buffer.from(decryptObject(stringMethod, openedKey, toBytes(raw), owner)).toString('latin1'),
    stream: (bytes, owner) => decryptObject(streamMethod, openedKey, bytes, owner),
  }
}
