import { inflateRawSync, inflateSync, constants } from 'node:zlib'
import { PdfError, pdfLimits } from './value.ts'

/** Parameters of a filter, read from `DecodeParms`. */
export type FilterParameters = {
  predictor: number
  colors: number
  bitsPerComponent: number
  columns: number
  earlyChange: number
}

/** Image filters: their data stays encoded. */
export const imageFilters = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'CCITTFaxDecode', 'CCF', 'JBIG2Decode'])

function inflateBytes(bytes: Uint8Array, maxBytes: number): Uint8Array {
  // A truncated stream still yields its available data.
  const inflateOptions = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    return inflateSync(bytes, inflateOptions)
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw createTooLargeError()
    try {
      // Wrong header or checksum, as produced by some writers.
      return inflateRawSync(bytes.subarray(2), inflateOptions)
    } catch (rawError) {
      if ((rawError as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw createTooLargeError()
      return new Uint8Array(0)
    }
  }
}

const createTooLargeError = () => new PdfError('limit', `A stream unpacks to more than ${pdfLimits.streamBytes / 2 ** 20} MiB`)

/** Growing byte buffer up to a limit. */
function createSink(maxBytes: number) {
  let buffer = new Uint8Array(Math.min(maxBytes, 4096))
  let usedLength = 0
  return {
    push(byte: number): void {
      if (usedLength >= maxBytes) throw createTooLargeError()
      if (usedLength === buffer.length) {
        const largerBuffer = new Uint8Array(Math.min(maxBytes, buffer.length * 2))
        largerBuffer.set(buffer)
        buffer = largerBuffer
      }
      buffer[usedLength++] = byte
    },
    finish: () => buffer.subarray(0, usedLength),
  }
}

function decodeLzw(bytes: Uint8Array, earlyChange: number, maxBytes: number): Uint8Array {
  const outputSink = createSink(maxBytes)
  let codeTable: Uint8Array[] = []
  const resetTable = () => {
    codeTable = Array.from({ length: 258 }, (_, i) => Uint8Array.of(i & 255))
  }
  resetTable()
  let codeWidth = 9
  let bitBuffer = 0
  let bitCount = 0
  let previousEntry: Uint8Array | null = null
  for (const byte of bytes) {
    bitBuffer = ((bitBuffer << 8) | byte) & 0xffffff
    bitCount += 8
    if (bitCount < codeWidth) continue
    bitCount -= codeWidth
    const codeValue = (bitBuffer >> bitCount) & ((1 << codeWidth) - 1)
    if (codeValue === 257) break
    if (codeValue === 256) {
      resetTable()
      codeWidth = 9
      previousEntry = null
      continue
    }
    const knownEntry: Uint8Array | undefined = codeTable[codeValue]
    if (!knownEntry && !previousEntry) break
    const entryBytes: Uint8Array = knownEntry ?? Uint8Array.of(...previousEntry!, previousEntry![0]!)
    for (const entryByte of entryBytes) outputSink.push(entryByte)
    if (previousEntry && codeTable.length < 4096) {
      const newEntry = new Uint8Array(previousEntry.length + 1)
      newEntry.set(previousEntry)
      newEntry[previousEntry.length] = entryBytes[0]!
      codeTable.push(newEntry)
    }
    previousEntry = entryBytes
    const tableSize = codeTable.length + earlyChange
    codeWidth = tableSize >= 2048 ? 12 : tableSize >= 1024 ? 11 : tableSize >= 512 ? 10 : 9
  }
  return outputSink.finish()
}

function decodeAscii85(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const outputSink = createSink(maxBytes)
  const digitGroup: number[] = []
  const flushGroup = (byteCount: number) => {
    while (digitGroup.length < 5) digitGroup.push(84)
    const groupValue = digitGroup.reduce((sum, digit) => sum * 85 + digit, 0)
    for (let i = 0; i < byteCount; i++) outputSink.push(Math.floor(groupValue / 256 ** (3 - i)) & 255)
    digitGroup.length = 0
  }
  for (const byte of bytes) {
    if (byte === 126) break
    if (byte === 122 && digitGroup.length === 0) for (let i = 0; i < 4; i++) outputSink.push(0)
    else if (byte >= 33 && byte <= 117) {
      digitGroup.push(byte - 33)
      if (digitGroup.length === 5) flushGroup(4)
    }
  }
  if (digitGroup.length > 1) flushGroup(digitGroup.length - 1)
  return outputSink.finish()
}

function decodeAsciiHex(bytes: Uint8Array): Uint8Array {
  let hexText = Buffer.from(bytes).toString('latin1')
  const endIndex = hexText.indexOf('>')
  hexText = (endIndex < 0 ? hexText : hexText.slice(0, endIndex)).replace(/[^0-9a-fA-F]/g, '')
  return new Uint8Array(Buffer.from(hexText.length % 2 ? `${hexText}0` : hexText, 'hex'))
}

function decodeRunLength(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const outputSink = createSink(maxBytes)
  let i = 0
  while (i < bytes.length) {
    const runByte = bytes[i++]!
    if (runByte === 128) break
    if (runByte < 128) for (let runIndex = 0; runIndex <= runByte && i < bytes.length; runIndex++) outputSink.push(bytes[i++]!)
    else {
      const repeatedByte = bytes[i++]!
      for (let runIndex = 0; runIndex < 257 - runByte; runIndex++) outputSink.push(repeatedByte)
    }
  }
  return outputSink.finish()
}

const predictPaeth = (leftByte: number, upByte: number, cornerByte: number): number => {
  const prediction = leftByte + upByte - cornerByte
  const [leftDistance, upDistance, cornerDistance] = [
    Math.abs(prediction - leftByte),
    Math.abs(prediction - upByte),
    Math.abs(prediction - cornerByte),
  ]
  return leftDistance <= upDistance && leftDistance <= cornerDistance
    ? leftByte
    : upDistance <= cornerDistance
      ? upByte
      : cornerByte
}

/** Prediction of each PNG row filter from the left, upper and upper left byte. */
const rowPredictors: ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  predictPaeth,
]

function undoPngRows(bytes: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rowCount = Math.ceil(bytes.length / (rowBytes + 1))
  const outputRows = new Uint8Array(rowCount * rowBytes)
  for (let rowIndex = 0; rowIndex < rowCount; rowIndex++) {
    const predictByte = rowPredictors[bytes[rowIndex * (rowBytes + 1)]!] ?? rowPredictors[0]!
    const sourceOffset = rowIndex * (rowBytes + 1) + 1
    const targetOffset = rowIndex * rowBytes
    for (let i = 0; i < rowBytes; i++) {
      const leftByte = i >= pixelBytes ? outputRows[targetOffset + i - pixelBytes]! : 0
      const upByte = rowIndex > 0 ? outputRows[targetOffset + i - rowBytes]! : 0
      const cornerByte = rowIndex > 0 && i >= pixelBytes ? outputRows[targetOffset + i - rowBytes - pixelBytes]! : 0
      outputRows[targetOffset + i] = ((bytes[sourceOffset + i] ?? 0) + predictByte(leftByte, upByte, cornerByte)) & 255
    }
  }
  return outputRows
}

function undoPredictor(bytes: Uint8Array, parameters: FilterParameters): Uint8Array {
  const { predictor, colors, bitsPerComponent, columns } = parameters
  if (predictor < 2) return bytes
  const rowBytes = Math.ceil((colors * bitsPerComponent * columns) / 8)
  if (rowBytes < 1 || rowBytes > 2 ** 24) return bytes
  const pixelBytes = Math.max(1, (colors * bitsPerComponent) >> 3)
  if (predictor >= 10) return undoPngRows(bytes, rowBytes, pixelBytes)
  if (bitsPerComponent !== 8) return bytes
  const outputBytes = Uint8Array.from(bytes)
  for (let i = 0; i < outputBytes.length; i++)
    if (i % rowBytes >= pixelBytes) outputBytes[i] = (outputBytes[i]! + outputBytes[i - pixelBytes]!) & 255
  return outputBytes
}

/** Decodes one filter; null for image filters and unknown filters. @throws PdfError with trouble `limit` */
export function undoFilter(
  filter: string,
  bytes: Uint8Array,
  parameters: FilterParameters,
  maxBytes: number = pdfLimits.streamBytes,
): Uint8Array | null {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return undoPredictor(inflateBytes(bytes, maxBytes), parameters)
    case 'LZWDecode':
    case 'LZW':
      return undoPredictor(decodeLzw(bytes, parameters.earlyChange, maxBytes), parameters)
    case 'ASCII85Decode':
    case 'A85':
      return decodeAscii85(bytes, maxBytes)
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeAsciiHex(bytes)
    case 'RunLengthDecode':
    case 'RL':
      return decodeRunLength(bytes, maxBytes)
    default:
      return null
  }
}
