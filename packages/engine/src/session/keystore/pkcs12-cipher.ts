import { createDecipheriv, createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { readInteger, readObjectId, type DerElement } from './der.ts'
import { decryptRc2 } from './rc2.ts'

/** `unsupported`: an algorithm without support, by its object identifier. */
export type DecryptResult = { kind: 'open'; bytes: Buffer } | { kind: 'wrong' } | { kind: 'unsupported'; what: string }

/** Upper limits on rounds: a malicious file must not keep the process busy. */
const maxRounds = { pbkdf2: 2_000_000, pkcs12: 300_000 }

const hashAlgorithms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1.3.14.3.2.26': 'sha1',
    '2.16.840.1.101.3.4.2.1': 'sha256',
    '2.16.840.1.101.3.4.2.2': 'sha384',
    '2.16.840.1.101.3.4.2.3': 'sha512',
    '2.16.840.1.101.3.4.2.4': 'sha224',
  }),
)
const hmacAlgorithms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1.2.840.113549.2.7': 'sha1',
    '1.2.840.113549.2.8': 'sha224',
    '1.2.840.113549.2.9': 'sha256',
    '1.2.840.113549.2.10': 'sha384',
    '1.2.840.113549.2.11': 'sha512',
  }),
)
const cipherAlgorithms: ReadonlyMap<string, { name: string; key: number }> = new Map(
  Object.entries({
    '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', key: 16 },
    '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', key: 24 },
    '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', key: 32 },
    '1.2.840.113549.3.7': { name: 'des-ede3-cbc', key: 24 },
  }),
)
/** Legacy schemes of PKCS12: key length in bytes; RC2 key bits, or null for triple DES. */
const legacySchemes: ReadonlyMap<string, { key: number; rc2: number | null }> = new Map(
  Object.entries({
    '1.2.840.113549.1.12.1.3': { key: 24, rc2: null },
    '1.2.840.113549.1.12.1.4': { key: 16, rc2: null },
    '1.2.840.113549.1.12.1.5': { key: 16, rc2: 128 },
    '1.2.840.113549.1.12.1.6': { key: 5, rc2: 40 },
  }),
)

/** Encodes a password for PKCS12: UTF-16 big-endian with a terminator. */
function encodePassword(password: string): Buffer {
  const encodedPassword = Buffer.from(`${password}\0`, 'utf16le')
  return encodedPassword.swap16()
}

function repeatToBlocks(source: Buffer, blockBytes: number): Buffer {
  if (source.length === 0) return source
  const filledBytes = blockBytes * Math.ceil(source.length / blockBytes)
  return Buffer.alloc(filledBytes, source)
}

/** The key derivation of RFC 7292, appendix B. `purpose`: 1 key, 2 initial vector, 3 MAC key. */
function deriveKey(
  options: { hash: string; password: string; salt: Buffer; rounds: number },
  purpose: 1 | 2 | 3,
  length: number,
): Buffer {
  const blockBytes = options.hash === 'sha384' || options.hash === 'sha512' ? 128 : 64
  const diversifier = Buffer.alloc(blockBytes, purpose)
  const derivationInput = Buffer.concat([
    repeatToBlocks(options.salt, blockBytes),
    repeatToBlocks(encodePassword(options.password), blockBytes),
  ])
  const digestParts: Buffer[] = []
  for (let derivedBytes = 0; derivedBytes < length; derivedBytes += digestParts.at(-1)!.length) {
    let roundDigest = createHash(options.hash).update(diversifier).update(derivationInput).digest()
    for (let i = 1; i < options.rounds; i++) roundDigest = createHash(options.hash).update(roundDigest).digest()
    digestParts.push(roundDigest)
    const blockAddend = repeatToBlocks(roundDigest, blockBytes).subarray(0, blockBytes)
    for (let blockOffset = 0; blockOffset < derivationInput.length; blockOffset += blockBytes) {
      let carryBits = 1
      for (let i = blockBytes - 1; i >= 0; i--) {
        carryBits += derivationInput[blockOffset + i]! + blockAddend[i]!
        derivationInput[blockOffset + i] = carryBits & 255
        carryBits >>= 8
      }
    }
  }
  return Buffer.concat(digestParts).subarray(0, length)
}

function decryptWithCipher(name: string, key: Buffer, iv: Buffer, data: Buffer): DecryptResult {
  try {
    const decipherStream = createDecipheriv(name, key, iv)
    return { kind: 'open', bytes: Buffer.concat([decipherStream.update(data), decipherStream.final()]) }
  } catch {
    // Only a wrong key causes errors here: the padding is invalid.
    return { kind: 'wrong' }
  }
}

function openPbes2(parameters: DerElement | undefined, data: Buffer, password: string): DecryptResult {
  const [keyDerivation, encryptionScheme] = parameters?.children ?? []
  const [saltElement, roundsElement, ...derivationFields] = keyDerivation?.children[1]?.children ?? []
  const prfElement = derivationFields.find(({ tag }) => tag === 0x30)
  const prfAlgorithm = prfElement ? hmacAlgorithms.get(readObjectId(prfElement.children[0])) : 'sha1'
  const cipherAlgorithm = cipherAlgorithms.get(readObjectId(encryptionScheme?.children[0]))
  const ivBytes = encryptionScheme?.children[1]?.content
  const isPbkdf2 = readObjectId(keyDerivation?.children[0]) === '1.2.840.113549.1.5.12'
  if (!isPbkdf2 || !prfAlgorithm || !cipherAlgorithm || !saltElement || !ivBytes)
    return { kind: 'unsupported', what: readObjectId(encryptionScheme?.children[0]) || 'PBES2' }
  const roundCount = readInteger(roundsElement)
  if (!(roundCount >= 1 && roundCount <= maxRounds.pbkdf2)) return { kind: 'unsupported', what: `${roundCount} rounds` }
  const derivedKey = pbkdf2Sync(Buffer.from(password, 'utf8'), saltElement.content, roundCount, cipherAlgorithm.key, prfAlgorithm)
  return decryptWithCipher(cipherAlgorithm.name, derivedKey, ivBytes, data)
}

/** Decrypts `data` by an algorithm identifier of PKCS5 or PKCS12. */
export function openEncrypted(algorithm: DerElement | undefined, data: Buffer, password: string): DecryptResult {
  const algorithmId = readObjectId(algorithm?.children[0])
  const algorithmParameters = algorithm?.children[1]
  if (algorithmId === '1.2.840.113549.1.5.13') return openPbes2(algorithmParameters, data, password)
  const legacyScheme = legacySchemes.get(algorithmId)
  const [saltElement, roundsElement] = algorithmParameters?.children ?? []
  if (!legacyScheme || !saltElement) return { kind: 'unsupported', what: algorithmId || 'unknown' }
  const roundCount = readInteger(roundsElement)
  if (!(roundCount >= 1 && roundCount <= maxRounds.pkcs12)) return { kind: 'unsupported', what: `${roundCount} rounds` }
  const deriveOptions = { hash: 'sha1', password, salt: saltElement.content, rounds: roundCount }
  const derivedKey = deriveKey(deriveOptions, 1, legacyScheme.key)
  const ivBytes = deriveKey(deriveOptions, 2, 8)
  if (legacyScheme.rc2 !== null) {
    const decryptedBytes = decryptRc2(derivedKey, legacyScheme.rc2, ivBytes, data)
    return decryptedBytes ? { kind: 'open', bytes: decryptedBytes } : { kind: 'wrong' }
  }
  // Two-key triple DES: the third key equals the first.
  const fullKey = legacyScheme.key === 16 ? Buffer.concat([derivedKey, derivedKey.subarray(0, 8)]) : derivedKey
  return decryptWithCipher('des-ede3-cbc', fullKey, ivBytes, data)
}

/** Verifies the checksum of `data` with the password; `mac` is the MacData of the file. */
export function checkMac(mac: DerElement, data: Buffer, password: string): DecryptResult {
  const [digestInfo, saltElement, roundsElement] = mac.children
  const [digestAlgorithm, expectedMac] = digestInfo?.children ?? []
  const algorithmId = readObjectId(digestAlgorithm?.children[0])
  if (!expectedMac || !saltElement) return { kind: 'unsupported', what: 'check sum' }
  let computedMac: Buffer
  if (algorithmId === '1.2.840.113549.1.5.14') {
    const [keyDerivation, macScheme] = digestAlgorithm?.children[1]?.children ?? []
    const [pbkdf2Salt, pbkdf2Rounds, ...derivationFields] = keyDerivation?.children[1]?.children ?? []
    const keyLength = readInteger(derivationFields.find(({ tag }) => tag === 0x02))
    const prfAlgorithm = hmacAlgorithms.get(readObjectId(derivationFields.find(({ tag }) => tag === 0x30)?.children[0])) ?? 'sha1'
    const hmacHash = hmacAlgorithms.get(readObjectId(macScheme?.children[0]))
    const roundCount = readInteger(pbkdf2Rounds)
    if (!hmacHash || !pbkdf2Salt || !(keyLength >= 16 && keyLength <= 64) || !(roundCount >= 1 && roundCount <= maxRounds.pbkdf2))
      return { kind: 'unsupported', what: algorithmId }
    const macKey = pbkdf2Sync(Buffer.from(password, 'utf8'), pbkdf2Salt.content, roundCount, keyLength, prfAlgorithm)
    computedMac = createHmac(hmacHash, macKey).update(data).digest()
  } else {
    const macHash = hashAlgorithms.get(algorithmId)
    const roundCount = roundsElement ? readInteger(roundsElement) : 1
    if (!macHash || !(roundCount >= 1 && roundCount <= maxRounds.pkcs12)) return { kind: 'unsupported', what: algorithmId }
    const macLength = createHash(macHash).digest().length
    const macKey = deriveKey({ hash: macHash, password, salt: saltElement.content, rounds: roundCount }, 3, macLength)
    computedMac = createHmac(macHash, macKey).update(data).digest()
  }
  const isMatch = computedMac.length === expectedMac.content.length && timingSafeEqual(computedMac, expectedMac.content)
  return isMatch ? { kind: 'open', bytes: data } : { kind: 'wrong' }
}
