import { createHash, timingSafeEqual } from 'node:crypto'
import { readDer } from './der.ts'
import type { KeystoreContents, ReadKeystoreResult } from './pkcs12.ts'

const magicNumber = 0xfeedfeed
const keyEntryKind = 1
const certificateEntryKind = 2
const hashBytes = 20

const encodePassword = (password: string): Buffer => Buffer.from(password, 'utf16le').swap16()

/** Reads bytes sequentially. Every read returns null past the end. */
function createByteReader(bytes: Buffer) {
  let offset = 0
  const readBytes = (length: number): Buffer | null => {
    if (offset + length > bytes.length) return null
    offset += length
    return bytes.subarray(offset - length, offset)
  }
  return {
    take: readBytes,
    number: () => readBytes(4)?.readUInt32BE() ?? null,
    text: () => {
      const textLength = readBytes(2)?.readUInt16BE()
      return textLength === undefined ? null : readBytes(textLength)
    },
    block: () => {
      const blockLength = readBytes(4)?.readUInt32BE()
      return blockLength === undefined ? null : readBytes(blockLength)
    },
    rest: () => bytes.length - offset,
  }
}
type ByteReader = ReturnType<typeof createByteReader>

function readCertificate(byteReader: ByteReader, version: number): Buffer | null {
  if (version === 2 && byteReader.text() === null) return null
  return byteReader.block()
}

/** Parses the structure without the password. Keys remain encrypted. */
function readEntries(bytes: Buffer): { locked: Buffer[]; chains: Buffer[] } | null {
  const byteReader = createByteReader(bytes)
  const [fileMagic, fileVersion, entryCount] = [byteReader.number(), byteReader.number(), byteReader.number()]
  if (fileMagic !== magicNumber || (fileVersion !== 1 && fileVersion !== 2) || entryCount === null || entryCount > 10_000)
    return null
  const keystoreEntries = { locked: [] as Buffer[], chains: [] as Buffer[] }
  for (let i = 0; i < entryCount; i++) {
    const entryKind = byteReader.number()
    if (byteReader.text() === null || byteReader.take(8) === null) return null
    let certificateCount = 1
    if (entryKind === keyEntryKind) {
      const lockedKey = byteReader.block()
      const chainLength = byteReader.number()
      if (lockedKey === null || chainLength === null || chainLength > 100) return null
      keystoreEntries.locked.push(lockedKey)
      certificateCount = chainLength
    } else if (entryKind !== certificateEntryKind) return null
    for (let index = 0; index < certificateCount; index++) {
      const certificateBytes = readCertificate(byteReader, fileVersion)
      if (certificateBytes === null) return null
      // Certificates that are merely trusted do not belong to a key.
      if (entryKind === keyEntryKind) keystoreEntries.chains.push(certificateBytes)
    }
  }
  return byteReader.rest() === hashBytes ? keystoreEntries : null
}

/** Reverses Sun's key protection: a keystream of hashes, and a checksum that verifies the result. */
function unlockKey(lockedKey: Buffer, password: Buffer): Buffer | null {
  const protectedData = readDer(lockedKey)?.children[1]?.content
  if (!protectedData || protectedData.length < 2 * hashBytes) return null
  const keyBytes = Buffer.from(protectedData.subarray(hashBytes, -hashBytes))
  let hashBlock = protectedData.subarray(0, hashBytes)
  for (let keyIndex = 0; keyIndex < keyBytes.length; keyIndex++) {
    if (keyIndex % hashBytes === 0) hashBlock = createHash('sha1').update(password).update(hashBlock).digest()
    keyBytes[keyIndex] = keyBytes[keyIndex]! ^ hashBlock[keyIndex % hashBytes]!
  }
  const checksum = createHash('sha1').update(password).update(keyBytes).digest()
  return timingSafeEqual(checksum, protectedData.subarray(-hashBytes)) ? keyBytes : null
}

/** Reads a Java keystore in the legacy format (JKS, not JCEKS). Never throws. */
export function readJks(keystoreBytes: Uint8Array, password: string): ReadKeystoreResult {
  const fileBytes = Buffer.from(keystoreBytes.buffer, keystoreBytes.byteOffset, keystoreBytes.byteLength)
  const keystoreEntries = readEntries(fileBytes)
  if (!keystoreEntries) return { kind: 'invalid-format' }
  const passwordBytes = encodePassword(password)
  const signedBytes = fileBytes.subarray(0, -hashBytes)
  const checksum = createHash('sha1').update(passwordBytes).update('Mighty Aphrodite').update(signedBytes).digest()
  if (!timingSafeEqual(checksum, fileBytes.subarray(-hashBytes))) return { kind: 'wrong-password' }
  const keystoreContents: KeystoreContents = { keys: [], certificates: keystoreEntries.chains }
  for (const lockedKey of keystoreEntries.locked) {
    const unlockedKey = unlockKey(lockedKey, passwordBytes)
    if (!unlockedKey) return { kind: 'other-key-password' }
    keystoreContents.keys.push(unlockedKey)
  }
  return { kind: 'read', contents: keystoreContents }
}
