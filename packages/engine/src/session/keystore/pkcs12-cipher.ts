import { createDecipheriv, createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { intOf, oidOf, type Der } from './der.ts'
import { decryptRc2 } from './rc2.ts'

/** `unsupported`: an algorithm that is not known here, by its number. */
export type Opened =
  { kind: 'open'; bytes: Buffer } | { kind: 'wrong' } | { kind: 'unsupported'; what: string }

/** More rounds would only keep the process busy: a file is a stranger's. */
const mostRounds = { pbkdf2: 2_000_000, pkcs12: 300_000 }

const hashes: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.4': 'sha224',
}
const hmacs: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}
const ciphers: Readonly<Record<string, { name: string; key: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', key: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', key: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', key: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', key: 24 },
}
/** PKCS12's own schemes: key length in bytes, RC2 key bits or none for triple DES. */
const oldSchemes: Readonly<Record<string, { key: number; rc2: number | null }>> = {
  '1.2.840.113549.1.12.1.3': { key: 24, rc2: null },
  '1.2.840.113549.1.12.1.4': { key: 16, rc2: null },
  '1.2.840.113549.1.12.1.5': { key: 16, rc2: 128 },
  '1.2.840.113549.1.12.1.6': { key: 5, rc2: 40 },
}

/** A password as PKCS12 wants it: UTF-16, high byte first, with an end mark. */
function wide(password: string): Buffer {
  const bytes = Buffer.from(`${password}\0`, 'utf16le')
  return bytes.swap16()
}

function fill(source: Buffer, block: number): Buffer {
  if (source.length === 0) return source
  const size = block * Math.ceil(source.length / block)
  return Buffer.alloc(size, source)
}

/** The key derivation of RFC 7292, appendix B. `purpose`: 1 key, 2 initial vector, 3 MAC key. */
function derive(
  options: { hash: string; password: string; salt: Buffer; rounds: number },
  purpose: 1 | 2 | 3,
  length: number,
): Buffer {
  const block = options.hash === 'sha384' || options.hash === 'sha512' ? 128 : 64
  const diversifier = Buffer.alloc(block, purpose)
  const input = Buffer.concat([fill(options.salt, block), fill(wide(options.password), block)])
  const parts: Buffer[] = []
  for (let have = 0; have < length; have += parts.at(-1)!.length) {
    let digest = createHash(options.hash).update(diversifier).update(input).digest()
    for (let i = 1; i < options.rounds; i++) digest = createHash(options.hash).update(digest).digest()
    parts.push(digest)
    const addend = fill(digest, block).subarray(0, block)
    for (let start = 0; start < input.length; start += block) {
      let carry = 1
      for (let i = block - 1; i >= 0; i--) {
        carry += input[start + i]! + addend[i]!
        input[start + i] = carry & 255
        carry >>= 8
      }
    }
  }
  return Buffer.concat(parts).subarray(0, length)
}

function decipher(name: string, key: Buffer, iv: Buffer, data: Buffer): Opened {
  try {
    const open = createDecipheriv(name, key, iv)
    return { kind: 'open', bytes: Buffer.concat([open.update(data), open.final()]) }
  } catch {
    // The only thing that can be wrong here is the key: the padding does not come out.
    return { kind: 'wrong' }
  }
}

function openPbes2(parameters: Der | undefined, data: Buffer, password: string): Opened {
  const [derivation, encryption] = parameters?.children ?? []
  const [salt, rounds, ...rest] = derivation?.children[1]?.children ?? []
  const hash = rest.find(({ tag }) => tag === 0x30)
  const prf = hash ? hmacs[oidOf(hash.children[0])] : 'sha1'
  const cipher = ciphers[oidOf(encryption?.children[0])]
  const iv = encryption?.children[1]?.content
  const isPbkdf2 = oidOf(derivation?.children[0]) === '1.2.840.113549.1.5.12'
  if (!isPbkdf2 || !prf || !cipher || !salt || !iv)
    return { kind: 'unsupported', what: oidOf(encryption?.children[0]) || 'PBES2' }
  const count = intOf(rounds)
  if (!(count >= 1 && count <= mostRounds.pbkdf2)) return { kind: 'unsupported', what: `${count} rounds` }
  const key = pbkdf2Sync(Buffer.from(password, 'utf8'), salt.content, count, cipher.key, prf)
  return decipher(cipher.name, key, iv, data)
}

/** Decrypts `data` by an algorithm identifier of PKCS5 or PKCS12. */
export function openEncrypted(algorithm: Der | undefined, data: Buffer, password: string): Opened {
  const oid = oidOf(algorithm?.children[0])
  const parameters = algorithm?.children[1]
  if (oid === '1.2.840.113549.1.5.13') return openPbes2(parameters, data, password)
  const scheme = oldSchemes[oid]
  const [salt, rounds] = parameters?.children ?? []
  if (!scheme || !salt) return { kind: 'unsupported', what: oid || 'unknown' }
  const count = intOf(rounds)
  if (!(count >= 1 && count <= mostRounds.pkcs12)) return { kind: 'unsupported', what: `${count} rounds` }
  const options = { hash: 'sha1', password, salt: salt.content, rounds: count }
  const key = derive(options, 1, scheme.key)
  const iv = derive(options, 2, 8)
  if (scheme.rc2 !== null) {
    const bytes = decryptRc2(key, scheme.rc2, iv, data)
    return bytes ? { kind: 'open', bytes } : { kind: 'wrong' }
  }
  // Two keys mean that the third is the first again.
  const whole = scheme.key === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key
  return decipher('des-ede3-cbc', whole, iv, data)
}

/** Whether the password makes the check sum over `data`; `mac` is the MacData of the file. */
export function checkMac(mac: Der, data: Buffer, password: string): Opened {
  const [info, salt, rounds] = mac.children
  const [algorithm, expected] = info?.children ?? []
  const oid = oidOf(algorithm?.children[0])
  if (!expected || !salt) return { kind: 'unsupported', what: 'check sum' }
  let made: Buffer
  if (oid === '1.2.840.113549.1.5.14') {
    const [derivation, scheme] = algorithm?.children[1]?.children ?? []
    const [pbSalt, pbRounds, ...rest] = derivation?.children[1]?.children ?? []
    const length = intOf(rest.find(({ tag }) => tag === 0x02))
    const prf = hmacs[oidOf(rest.find(({ tag }) => tag === 0x30)?.children[0])] ?? 'sha1'
    const hash = hmacs[oidOf(scheme?.children[0])]
    const count = intOf(pbRounds)
    if (!hash || !pbSalt || !(length >= 16 && length <= 64) || !(count >= 1 && count <= mostRounds.pbkdf2))
      return { kind: 'unsupported', what: oid }
    const key = pbkdf2Sync(Buffer.from(password, 'utf8'), pbSalt.content, count, length, prf)
    made = createHmac(hash, key).update(data).digest()
  } else {
    const hash = hashes[oid]
    const count = rounds ? intOf(rounds) : 1
    if (!hash || !(count >= 1 && count <= mostRounds.pkcs12)) return { kind: 'unsupported', what: oid }
    const length = createHash(hash).digest().length
    const key = derive({ hash, password, salt: salt.content, rounds: count }, 3, length)
    made = createHmac(hash, key).update(data).digest()
  }
  const right = made.length === expected.content.length && timingSafeEqual(made, expected.content)
  return right ? { kind: 'open', bytes: data } : { kind: 'wrong' }
}
