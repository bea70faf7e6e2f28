// RC2 (RFC 2268), decryption only: PKCS12 files of legacy programs use it for certificates, and current OpenSSL no
// longer supports it.

const piTable = Buffer.from(
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

function expandKey(key: Buffer, bits: number): Uint16Array {
  const expandedBytes = Buffer.alloc(128)
  key.copy(expandedBytes)
  for (let i = key.length; i < 128; i++)
    expandedBytes[i] = piTable[(expandedBytes[i - 1]! + expandedBytes[i - key.length]!) & 255]!
  const effectiveBytes = Math.ceil(bits / 8)
  expandedBytes[128 - effectiveBytes] = piTable[expandedBytes[128 - effectiveBytes]! & (255 >> (8 * effectiveBytes - bits))]!
  for (let i = 127 - effectiveBytes; i >= 0; i--)
    expandedBytes[i] = piTable[expandedBytes[i + 1]! ^ expandedBytes[i + effectiveBytes]!]!
  return Uint16Array.from({ length: 64 }, (_, i) => expandedBytes.readUInt16LE(2 * i))
}

const rotationCounts = [1, 2, 3, 5]

function decryptBlock(expandedKeys: Uint16Array, cipherBlock: Buffer): Buffer {
  const registers = [0, 2, 4, 6].map((byteOffset) => cipherBlock.readUInt16LE(byteOffset))
  let keyIndex = 63
  const mixRound = () => {
    for (let i = 3; i >= 0; i--) {
      const rotationBits = rotationCounts[i]!
      registers[i] = ((registers[i]! >>> rotationBits) | (registers[i]! << (16 - rotationBits))) & 0xffff
      const [previous, secondPrevious, thirdPrevious] = [
        registers[(i + 3) & 3]!,
        registers[(i + 2) & 3]!,
        registers[(i + 1) & 3]!,
      ]
      registers[i] =
        (registers[i]! - expandedKeys[keyIndex--]! - (previous & secondPrevious) - (~previous & thirdPrevious)) & 0xffff
    }
  }
  const mashRound = () => {
    for (let i = 3; i >= 0; i--) registers[i] = (registers[i]! - expandedKeys[registers[(i + 3) & 3]! & 63]!) & 0xffff
  }
  for (const [roundIndex, mixCount] of [5, 6, 5].entries()) {
    if (roundIndex > 0) mashRound()
    for (let i = 0; i < mixCount; i++) mixRound()
  }
  const plainBlock = Buffer.alloc(8)
  for (const [i, registerWord] of registers.entries()) plainBlock.writeUInt16LE(registerWord, 2 * i)
  return plainBlock
}

/** Decrypts RC2 in CBC mode and removes the padding; null if the padding is invalid, which usually indicates a wrong key. */
export function decryptRc2(key: Buffer, bits: number, iv: Buffer, data: Buffer): Buffer | null {
  if (data.length === 0 || data.length % 8 !== 0) return null
  const expandedKeys = expandKey(key, bits)
  const plainBytes = Buffer.alloc(data.length)
  let previousBlock = iv
  for (let blockOffset = 0; blockOffset < data.length; blockOffset += 8) {
    const cipherBlock = data.subarray(blockOffset, blockOffset + 8)
    const decryptedBlock = decryptBlock(expandedKeys, cipherBlock)
    for (let i = 0; i < 8; i++) plainBytes[blockOffset + i] = decryptedBlock[i]! ^ previousBlock[i]!
    previousBlock = cipherBlock
  }
  const paddingBytes = plainBytes.at(-1)!
  if (paddingBytes < 1 || paddingBytes > 8) return null
  return plainBytes.subarray(0, plainBytes.length - paddingBytes)
}
