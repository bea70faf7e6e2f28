import { standardEncoding } from './glyph-name.ts'

/** A Type 1 font program (Adobe Type 1 Font Format). Widths are in thousandths of the em. */
export type Type1Font = {
  names: ReadonlySet<string>
  getCodeName(code: number): string | null
  getWidth(name: string): number | null
}

function decryptType1(bytes: Uint8Array, key: number, skipBytes: number): Uint8Array {
  const decryptedBytes = new Uint8Array(bytes.length)
  let cipherState = key
  for (const [i, cipherByte] of bytes.entries()) {
    decryptedBytes[i] = cipherByte ^ (cipherState >> 8)
    cipherState = ((cipherByte + cipherState) * 52_845 + 22_719) & 0xffff
  }
  return decryptedBytes.subarray(skipBytes)
}

/** Returns the encrypted part as bytes: some programs write it as hexadecimal digits. */
function readPrivatePart(bytes: Uint8Array, startOffset: number): Uint8Array {
  const firstCharacters = Buffer.from(bytes.subarray(startOffset, startOffset + 8)).toString('latin1')
  if (!/^[0-9a-fA-F\s]{8}/.test(firstCharacters)) return bytes.subarray(startOffset)
  const hexDigits = Buffer.from(bytes.subarray(startOffset))
    .toString('latin1')
    .replace(/[^0-9a-fA-F]/g, '')
  return new Uint8Array(Buffer.from(hexDigits.slice(0, hexDigits.length - (hexDigits.length % 2)), 'hex'))
}

/** Unwraps the segments of a PFB file. */
function unwrapPfb(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x80) return bytes
  const segmentParts: Uint8Array[] = []
  let segmentOffset = 0
  while (bytes[segmentOffset] === 0x80 && (bytes[segmentOffset + 1] === 1 || bytes[segmentOffset + 1] === 2)) {
    const segmentLength = bytes[segmentOffset + 2]! | (bytes[segmentOffset + 3]! << 8) | (bytes[segmentOffset + 4]! << 16)
    segmentParts.push(bytes.subarray(segmentOffset + 6, segmentOffset + 6 + segmentLength))
    segmentOffset += 6 + segmentLength
  }
  return Buffer.concat(segmentParts)
}

function readEncoding(clearText: string): (code: number) => string | null {
  if (/\/Encoding\s+StandardEncoding\s+def/.test(clearText)) return (code) => standardEncoding[code] ?? null
  const namesByCode = new Map<number, string>()
  for (const encodingMatch of clearText.matchAll(/dup\s+(\d+)\s*\/([^\s/]+)\s+put/g))
    namesByCode.set(Number(encodingMatch[1]), encodingMatch[2]!)
  return (code) => namesByCode.get(code) ?? null
}

/** Returns the advance width set by `hsbw` or `sbw` at the start of a charstring. */
function readAdvance(charstring: Uint8Array): number | null {
  const operandStack: number[] = []
  for (let i = 0; i < charstring.length && operandStack.length < 24;) {
    const operator = charstring[i++]!
    if (operator >= 32) {
      if (operator <= 246) operandStack.push(operator - 139)
      else if (operator <= 250) operandStack.push((operator - 247) * 256 + (charstring[i++] ?? 0) + 108)
      else if (operator <= 254) operandStack.push(-(operator - 251) * 256 - (charstring[i++] ?? 0) - 108)
      else {
        operandStack.push(
          ((charstring[i] ?? 0) << 24) |
            ((charstring[i + 1] ?? 0) << 16) |
            ((charstring[i + 2] ?? 0) << 8) |
            (charstring[i + 3] ?? 0),
        )
        i += 4
      }
      continue
    }
    if (operator === 13) return operandStack[1] ?? null
    if (operator === 12) {
      const escapedOperator = charstring[i++]
      if (escapedOperator === 7) return operandStack[2] ?? null
      if (escapedOperator === 12) {
        const divisorOperand = operandStack.pop() ?? 1
        operandStack.push((operandStack.pop() ?? 0) / divisorOperand)
        continue
      }
    }
    return null
  }
  return null
}

/** Parses a font program; null if it has no readable charstrings. */
export function readType1(program: Uint8Array): Type1Font | null {
  const fontBytes = unwrapPfb(program)
  const fontBuffer = Buffer.from(fontBytes.buffer, fontBytes.byteOffset, fontBytes.byteLength)
  const eexecOffset = fontBuffer.indexOf('eexec')
  if (eexecOffset < 0) return null
  let privateOffset = eexecOffset + 5
  while (privateOffset < fontBytes.length && [9, 10, 13, 32].includes(fontBytes[privateOffset]!)) privateOffset += 1
  const clearText = fontBuffer.toString('latin1', 0, eexecOffset)
  const privateBytes = Buffer.from(decryptType1(readPrivatePart(fontBytes, privateOffset), 55_665, 4))
  const privateText = privateBytes.toString('latin1')
  const randomByteCount = Number(/\/lenIV\s+(\d+)/.exec(privateText)?.[1] ?? 4)
  const widthScale = 1000 * Number(/\/FontMatrix\s*\[\s*([\d.eE+-]+)/.exec(clearText)?.[1] ?? 0.001) || 1
  const charstringsByName = new Map<string, Uint8Array>()
  const charstringsOffset = privateText.indexOf('/CharStrings')
  if (charstringsOffset < 0) return null
  const entryPattern = /\/([^\s/{}[\]()<>%]+)\s+(\d+)\s+(?:RD|-\||\S+)\s/y
  for (
    let entryOffset = privateText.indexOf('/', charstringsOffset + 12);
    entryOffset >= 0 && charstringsByName.size < 65_536;
    entryOffset = privateText.indexOf('/', entryOffset)
  ) {
    entryPattern.lastIndex = entryOffset
    const entryMatch = entryPattern.exec(privateText)
    if (!entryMatch) {
      entryOffset += 1
      continue
    }
    const charstringStart = entryOffset + entryMatch[0].length
    const charstringLength = Number(entryMatch[2])
    if (charstringLength > 65_536) break
    charstringsByName.set(entryMatch[1]!, privateBytes.subarray(charstringStart, charstringStart + charstringLength))
    entryOffset = charstringStart + charstringLength
  }
  if (charstringsByName.size === 0) return null
  return {
    names: new Set(charstringsByName.keys()),
    getCodeName: readEncoding(clearText),
    getWidth: (name) => {
      const glyphCharstring = charstringsByName.get(name)
      const glyphWidth = glyphCharstring ? readAdvance(decryptType1(glyphCharstring, 4330, randomByteCount)) : null
      return glyphWidth === null ? null : glyphWidth * widthScale
    },
  }
}
