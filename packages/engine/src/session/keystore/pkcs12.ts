import { intOf, oidOf, readDer, type Der } from './der.ts'
import { checkMac, openEncrypted, type Opened } from './pkcs12-cipher.ts'

/** What a keystore contains: private keys as PKCS8, certificates as X.509, both in binary form. */
export type Contents = { keys: Buffer[]; certificates: Buffer[] }
export type ReadStore =
  | { kind: 'read'; contents: Contents }
  | { kind: 'invalid-format' }
  | { kind: 'wrong-password' }
  /** The store opens, a key in it has a password of its own. */
  | { kind: 'other-key-password' }
  | { kind: 'unsupported'; what: string }

const dataType = '1.2.840.113549.1.7.1'
const encryptedType = '1.2.840.113549.1.7.6'
const bagType = '1.2.840.113549.1.12.10.1.'

const notOpen = (opened: Exclude<Opened, { kind: 'open' }>): ReadStore =>
  opened.kind === 'wrong' ? { kind: 'wrong-password' } : opened

/** The bytes of a ContentInfo, decrypted where they are encrypted; null when it is neither kind. */
function contentOf(info: Der, password: string): Opened | null {
  const type = oidOf(info.children[0])
  const inner = info.children[1]?.children[0]
  if (type === dataType && inner) return { kind: 'open', bytes: inner.content }
  if (type !== encryptedType || !inner) return null
  const [, algorithm, data] = inner.children[1]?.children ?? []
  return data ? openEncrypted(algorithm, data.content, password) : null
}

/** Reads a SafeContents into `contents`; answers what went wrong, null for nothing. */
function takeBags(bytes: Buffer, password: string, contents: Contents, depth = 0): ReadStore | null {
  const safe = readDer(bytes)
  if (safe?.tag !== 0x30 || depth > 5) return { kind: 'invalid-format' }
  for (const bag of safe.children) {
    const type = oidOf(bag.children[0])
    const value = bag.children[1]?.children[0]
    if (!value || !type.startsWith(bagType)) continue
    const kind = type.slice(bagType.length)
    if (kind === '1') contents.keys.push(value.whole)
    else if (kind === '2') {
      const opened = openEncrypted(value.children[0], value.children[1]?.content ?? Buffer.alloc(0), password)
      if (opened.kind === 'wrong') return { kind: 'other-key-password' }
      if (opened.kind !== 'open') return notOpen(opened)
      contents.keys.push(opened.bytes)
    } else if (kind === '3') {
      const certificate = value.children[1]?.children[0]
      if (certificate) contents.certificates.push(certificate.content)
    } else if (kind === '6') {
      const problem = takeBags(value.whole, password, contents, depth + 1)
      if (problem) return problem
    }
  }
  return null
}

/** Reads a PKCS12 file (RFC 7292), of old and new programs. Never throws. */
export function readPkcs12(bytes: Uint8Array, password: string): ReadStore {
  const file = readDer(bytes)
  const [version, info, mac] = file?.children ?? []
  if (file?.tag !== 0x30 || intOf(version) !== 3 || !info || oidOf(info.children[0]) !== dataType)
    return { kind: 'invalid-format' }
  const safe = info.children[1]?.children[0]?.content
  const parts = safe && readDer(safe)
  if (!safe || parts?.tag !== 0x30) return { kind: 'invalid-format' }
  if (mac) {
    const checked = checkMac(mac, safe, password)
    if (checked.kind !== 'open') return notOpen(checked)
  }
  const contents: Contents = { keys: [], certificates: [] }
  for (const part of parts.children) {
    const opened = contentOf(part, password)
    if (!opened) return { kind: 'invalid-format' }
    if (opened.kind !== 'open') return notOpen(opened)
    const problem = takeBags(opened.bytes, password, contents)
    if (problem) return problem
  }
  return { kind: 'read', contents }
}
