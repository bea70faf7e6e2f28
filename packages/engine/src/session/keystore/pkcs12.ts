import { readInteger, readObjectId, readDer, type DerElement } from './der.ts'
import { checkMac, openEncrypted, type DecryptResult } from './pkcs12-cipher.ts'

/** Contents of a keystore: private keys as PKCS8 and certificates as X.509, both in binary form. */
export type KeystoreContents = { keys: Buffer[]; certificates: Buffer[] }
export type ReadKeystoreResult =
  | { kind: 'read'; contents: KeystoreContents }
  | { kind: 'invalid-format' }
  | { kind: 'wrong-password' }
  /** The store opens, but a key in it has another password. */
  | { kind: 'other-key-password' }
  | { kind: 'unsupported'; what: string }

const dataContentType = '1.2.840.113549.1.7.1'
const encryptedContentType = '1.2.840.113549.1.7.6'
const bagTypePrefix = '1.2.840.113549.1.12.10.1.'

const toReadFailure = (decryptFailure: Exclude<DecryptResult, { kind: 'open' }>): ReadKeystoreResult =>
  decryptFailure.kind === 'wrong' ? { kind: 'wrong-password' } : decryptFailure

/** Returns the bytes of a ContentInfo, decrypted if necessary; null for other content types. */
function decryptContent(info: DerElement, password: string): DecryptResult | null {
  const contentType = readObjectId(info.children[0])
  const innerElement = info.children[1]?.children[0]
  if (contentType === dataContentType && innerElement) return { kind: 'open', bytes: innerElement.content }
  if (contentType !== encryptedContentType || !innerElement) return null
  const [, encryptionAlgorithm, encryptedData] = innerElement.children[1]?.children ?? []
  return encryptedData ? openEncrypted(encryptionAlgorithm, encryptedData.content, password) : null
}

/** Reads a SafeContents into `contents`. Returns the problem, or null. */
function readBags(bytes: Buffer, password: string, contents: KeystoreContents, depth = 0): ReadKeystoreResult | null {
  const safeContents = readDer(bytes)
  if (safeContents?.tag !== 0x30 || depth > 5) return { kind: 'invalid-format' }
  for (const bag of safeContents.children) {
    const bagTypeId = readObjectId(bag.children[0])
    const bagValue = bag.children[1]?.children[0]
    if (!bagValue || !bagTypeId.startsWith(bagTypePrefix)) continue
    const bagKind = bagTypeId.slice(bagTypePrefix.length)
    if (bagKind === '1') contents.keys.push(bagValue.rawBytes)
    else if (bagKind === '2') {
      const decryptResult = openEncrypted(bagValue.children[0], bagValue.children[1]?.content ?? Buffer.alloc(0), password)
      if (decryptResult.kind === 'wrong') return { kind: 'other-key-password' }
      if (decryptResult.kind !== 'open') return toReadFailure(decryptResult)
      contents.keys.push(decryptResult.bytes)
    } else if (bagKind === '3') {
      const certificateElement = bagValue.children[1]?.children[0]
      if (certificateElement) contents.certificates.push(certificateElement.content)
    } else if (bagKind === '6') {
      const nestedProblem = readBags(bagValue.rawBytes, password, contents, depth + 1)
      if (nestedProblem) return nestedProblem
    }
  }
  return null
}

/** Reads a PKCS12 file (RFC 7292) of current and legacy programs. Never throws. */
export function readPkcs12(bytes: Uint8Array, password: string): ReadKeystoreResult {
  const fileElement = readDer(bytes)
  const [versionElement, contentInfo, macData] = fileElement?.children ?? []
  if (
    fileElement?.tag !== 0x30 ||
    readInteger(versionElement) !== 3 ||
    !contentInfo ||
    readObjectId(contentInfo.children[0]) !== dataContentType
  )
    return { kind: 'invalid-format' }
  const safeBytes = contentInfo.children[1]?.children[0]?.content
  const contentInfos = safeBytes && readDer(safeBytes)
  if (!safeBytes || contentInfos?.tag !== 0x30) return { kind: 'invalid-format' }
  if (macData) {
    const macResult = checkMac(macData, safeBytes, password)
    if (macResult.kind !== 'open') return toReadFailure(macResult)
  }
  const keystoreContents: KeystoreContents = { keys: [], certificates: [] }
  for (const contentInfoPart of contentInfos.children) {
    const decryptResult = decryptContent(contentInfoPart, password)
    if (!decryptResult) return { kind: 'invalid-format' }
    if (decryptResult.kind !== 'open') return toReadFailure(decryptResult)
    const bagProblem = readBags(decryptResult.bytes, password, keystoreContents)
    if (bagProblem) return bagProblem
  }
  return { kind: 'read', contents: keystoreContents }
}
