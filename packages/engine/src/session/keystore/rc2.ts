// RC2 (RFC 2268), decryption only: certificates in PKCS12 files of older programs are encrypted by it, and current OpenSSL
// has it no more.

const pi = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2' +
    '179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82' +
    '54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7' +
    '08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec' +
    'c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9' +
    '0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
)

function expand(key: Buffer, bits: number): Uint16Array {
  const bytes = Buffer.alloc(128)
  key.copy(bytes)
  for (let i = key.length; i < 128; i++) bytes[i] = pi[(bytes[i - 1]! + bytes[i - key.length]!) & 255]!
  const used = Math.ceil(bits / 8)
  bytes[128 - used] = pi[bytes[128 - used]! & (255 >> (8 * used - bits))]!
  for (let i = 127 - used; i >= 0; i--) bytes[i] = pi[bytes[i + 1]! ^ bytes[i + used]!]!
  return Uint16Array.from({ length: 64 }, (_, i) => bytes.readUInt16LE(2 * i))
}

const rotations = [1, 2, 3, 5]

function decryptBlock(keys: Uint16Array, block: Buffer): Buffer {
  const r = [0, 2, 4, 6].map((at) => block.readUInt16LE(at))
  let next = 63
  const mix = () => {
    for (let i = 3; i >= 0; i--) {
      const turn = rotations[i]!
      r[i] = ((r[i]! >>> turn) | (r[i]! << (16 - turn))) & 0xffff
      const [a, b, c] = [r[(i + 3) & 3]!, r[(i + 2) & 3]!, r[(i + 1) & 3]!]
      r[i] = (r[i]! - keys[next--]! - (a & b) - (~a & c)) & 0xffff
    }
  }
  const mash = () => {
    for (let i = 3; i >= 0; i--) r[i] = (r[i]! - keys[r[(i + 3) & 3]! & 63]!) & 0xffff
  }
  for (const [round, count] of [5, 6, 5].entries()) {
    if (round > 0) mash()
    for (let i = 0; i < count; i++) mix()
  }
  const plain = Buffer.alloc(8)
  for (const [i, word] of r.entries()) plain.writeUInt16LE(word, 2 * i)
  return plain
}

/** Decrypts RC2 in CBC mode with its padding removed; null when the padding is none, which a wrong key makes likely. */
export function decryptRc2(key: Buffer, bits: number, iv: Buffer, data: Buffer): Buffer | null {
  if (data.length === 0 || data.length % 8 !== 0) return null
  const keys = expand(key, bits)
  const plain = Buffer.alloc(data.length)
  let before = iv
  for (let at = 0; at < data.length; at += 8) {
    const block = data.subarray(at, at + 8)
    const open = decryptBlock(keys, block)
    for (let i = 0; i < 8; i++) plain[at + i] = open[i]! ^ before[i]!
    before = block
  }
  const padding = plain.at(-1)!
  if (padding < 1 || padding > 8) return null
  return plain.subarray(0, plain.length - padding)
}
