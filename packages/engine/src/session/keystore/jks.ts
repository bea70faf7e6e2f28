import { createHash, timingSafeEqual } from 'node:crypto'
import { readDer } from './der.ts'
import type { Contents, ReadStore } from './pkcs12.ts'

const magic = 0xfeedfeed
const keyEntry = 1
const certificateEntry = 2
const hashLength = 20

const wide = (password: string): Buffer => Buffer.from(password, 'utf16le').swap16()

/** Walks bytes; every read answers null behind the end. */
function walker(bytes: Buffer) {
  let at = 0
  const take = (length: number): Buffer | null => {
    if (at + length > bytes.length) return null
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    take,
    number: () => take(4)?.readUInt32BE() ?? null,
    text: () => {
      const length = take(2)?.readUInt16BE()
      return length === undefined ? null : take(length)
    },
    block: () => {
      const length = take(4)?.readUInt32BE()
      return length === undefined ? null : take(length)
    },
    rest: () => bytes.length - at,
  }
}
type Walker = ReturnType<typeof walker>

function certificate(walk: Walker, version: number): Buffer | null {
  if (version === 2 && walk.text() === null) return null
  return walk.block()
}

/** Takes the structure apart without the password: keys are still locked. */
function entriesOf(bytes: Buffer): { locked: Buffer[]; chains: Buffer[] } | null {
  const walk = walker(bytes)
  const [mark, version, count] = [walk.number(), walk.number(), walk.number()]
  if (mark !== magic || (version !== 1 && version !== 2) || count === null || count > 10_000) return null
  const found = { locked: [] as Buffer[], chains: [] as Buffer[] }
  for (let i = 0; i < count; i++) {
    const kind = walk.number()
    if (walk.text() === null || walk.take(8) === null) return null
    let certificates = 1
    if (kind === keyEntry) {
      const key = walk.block()
      const length = walk.number()
      if (key === null || length === null || length > 100) return null
      found.locked.push(key)
      certificates = length
    } else if (kind !== certificateEntry) return null
    for (let k = 0; k < certificates; k++) {
      const one = certificate(walk, version)
      if (one === null) return null
      // Certificates that are merely trusted belong to no key.
      if (kind === keyEntry) found.chains.push(one)
    }
  }
  return walk.rest() === hashLength ? found : null
}

/** Undoes Sun's protection of a key: a stream of hashes, and a hash at the end that shows whether it was right. */
function unlock(locked: Buffer, password: Buffer): Buffer | null {
  const data = readDer(locked)?.children[1]?.content
  if (!data || data.length < 2 * hashLength) return null
  const key = Buffer.from(data.subarray(hashLength, -hashLength))
  let digest = data.subarray(0, hashLength)
  for (let at = 0; at < key.length; at++) {
    if (at % hashLength === 0) digest = createHash('sha1').update(password).update(digest).digest()
    key[at] = key[at]! ^ digest[at % hashLength]!
  }
  const sum = createHash('sha1').update(password).update(key).digest()
  return timingSafeEqual(sum, data.subarray(-hashLength)) ? key : null
}

/** Reads a Java keystore in its old format (JKS, not JCEKS). Never throws. */
export function readJks(given: Uint8Array, password: string): ReadStore {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const entries = entriesOf(bytes)
  if (!entries) return { kind: 'invalid-format' }
  const secret = wide(password)
  const body = bytes.subarray(0, -hashLength)
  const sum = createHash('sha1').update(secret).update('Mighty Aphrodite').update(body).digest()
  if (!timingSafeEqual(sum, bytes.subarray(-hashLength))) return { kind: 'wrong-password' }
  const contents: Contents = { keys: [], certificates: entries.chains }
  for (const locked of entries.locked) {
    const key = unlock(locked, secret)
    if (!key) return { kind: 'other-key-password' }
    contents.keys.push(key)
  }
  return { kind: 'read', contents }
}
