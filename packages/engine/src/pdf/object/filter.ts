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

/** Filters whose result is a picture: left as they are. */
export const pictureFilters = new Set([
  'DCTDecode',
  'DCT',
  'JPXDecode',
  'CCITTFaxDecode',
  'CCF',
  'JBIG2Decode',
])

function flate(bytes: Uint8Array, most: number): Uint8Array {
  // A truncated stream still gives what it has.
  const options = { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    return inflateSync(bytes, options)
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    try {
      // A wrong header or checksum, as some writers leave.
      return inflateRawSync(bytes.subarray(2), options)
    } catch (inner) {
      if ((inner as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
      return new Uint8Array(0)
    }
  }
}

const tooLarge = () =>
  new PdfError('limit', `A stream unpacks to more than ${pdfLimits.streamBytes / 2 ** 20} MiB`)

/** Bytes that grow, up to a limit. */
function openSink(most: number) {
  let bytes = new Uint8Array(Math.min(most, 4096))
  let length = 0
  return {
    push(byte: number): void {
      if (length >= most) throw tooLarge()
      if (length === bytes.length) {
        const larger = new Uint8Array(Math.min(most, bytes.length * 2))
        larger.set(bytes)
        bytes = larger
      }
      bytes[length++] = byte
    },
    done: () => bytes.subarray(0, length),
  }
}

function lzw(bytes: Uint8Array, earlyChange: number, most: number): Uint8Array {
  const sink = openSink(most)
  let table: Uint8Array[] = []
  const reset = () => {
    table = Array.from({ length: 258 }, (_, i) => Uint8Array.of(i & 255))
  }
  reset()
  let width = 9
  let buffer = 0
  let bits = 0
  let previous: Uint8Array | null = null
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const entry = (buffer >> bits) & ((1 << width) - 1)
    if (entry === 257) break
    if (entry === 256) {
      reset()
      width = 9
      previous = null
      continue
    }
    const known: Uint8Array | undefined = table[entry]
    if (!known && !previous) break
    const value: Uint8Array = known ?? Uint8Array.of(...previous!, previous![0]!)
    for (const b of value) sink.push(b)
    if (previous && table.length < 4096) {
      const next = new Uint8Array(previous.length + 1)
      next.set(previous)
      next[previous.length] = value[0]!
      table.push(next)
    }
    previous = value
    const size = table.length + earlyChange
    width = size >= 2048 ? 12 : size >= 1024 ? 11 : size >= 512 ? 10 : 9
  }
  return sink.done()
}

function ascii85(bytes: Uint8Array, most: number): Uint8Array {
  const sink = openSink(most)
  const group: number[] = []
  const flush = (count: number) => {
    while (group.length < 5) group.push(84)
    const value = group.reduce((sum, digit) => sum * 85 + digit, 0)
    for (let i = 0; i < count; i++) sink.push(Math.floor(value / 256 ** (3 - i)) & 255)
    group.length = 0
  }
  for (const byte of bytes) {
    if (byte === 126) break
    if (byte === 122 && group.length === 0) for (let i = 0; i < 4; i++) sink.push(0)
    else if (byte >= 33 && byte <= 117) {
      group.push(byte - 33)
      if (group.length === 5) flush(4)
    }
  }
  if (group.length > 1) flush(group.length - 1)
  return sink.done()
}

function asciiHex(bytes: Uint8Array): Uint8Array {
  let text = Buffer.from(bytes).toString('latin1')
  const end = text.indexOf('>')
  text = (end < 0 ? text : text.slice(0, end)).replace(/[^0-9a-fA-F]/g, '')
  return new Uint8Array(Buffer.from(text.length % 2 ? `${text}0` : text, 'hex'))
}

function runLength(bytes: Uint8Array, most: number): Uint8Array {
  const sink = openSink(most)
  let i = 0
  while (i < bytes.length) {
    const length = bytes[i++]!
    if (length === 128) break
    if (length < 128) for (let k = 0; k <= length && i < bytes.length; k++) sink.push(bytes[i++]!)
    else {
      const byte = bytes[i++]!
      for (let k = 0; k < 257 - length; k++) sink.push(byte)
    }
  }
  return sink.done()
}

const paeth = (a: number, b: number, c: number): number => {
  const p = a + b - c
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

/** How each PNG row filter guesses a byte, from what is left of it, above it, and above left. */
const guesses: ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
]

function pngRows(bytes: Uint8Array, rowBytes: number, step: number): Uint8Array {
  const rows = Math.ceil(bytes.length / (rowBytes + 1))
  const out = new Uint8Array(rows * rowBytes)
  for (let row = 0; row < rows; row++) {
    const guess = guesses[bytes[row * (rowBytes + 1)]!] ?? guesses[0]!
    const from = row * (rowBytes + 1) + 1
    const to = row * rowBytes
    for (let i = 0; i < rowBytes; i++) {
      const left = i >= step ? out[to + i - step]! : 0
      const up = row > 0 ? out[to + i - rowBytes]! : 0
      const corner = row > 0 && i >= step ? out[to + i - rowBytes - step]! : 0
      out[to + i] = ((bytes[from + i] ?? 0) + guess(left, up, corner)) & 255
    }
  }
  return out
}

function unpredict(bytes: Uint8Array, parameters: FilterParameters): Uint8Array {
  const { predictor, colors, bitsPerComponent, columns } = parameters
  if (predictor < 2) return bytes
  const rowBytes = Math.ceil((colors * bitsPerComponent * columns) / 8)
  if (rowBytes < 1 || rowBytes > 2 ** 24) return bytes
  const step = Math.max(1, (colors * bitsPerComponent) >> 3)
  if (predictor >= 10) return pngRows(bytes, rowBytes, step)
  if (bitsPerComponent !== 8) return bytes
  const out = Uint8Array.from(bytes)
  for (let i = 0; i < out.length; i++) if (i % rowBytes >= step) out[i] = (out[i]! + out[i - step]!) & 255
  return out
}

/** Undoes one filter; null when it is none that we undo (a picture, or one that nobody knows). Throws `limit`. */
export function undoFilter(
  filter: string,
  bytes: Uint8Array,
  parameters: FilterParameters,
  most: number = pdfLimits.streamBytes,
): Uint8Array | null {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return unpredict(flate(bytes, most), parameters)
    case 'LZWDecode':
    case 'LZW':
      return unpredict(lzw(bytes, parameters.earlyChange, most), parameters)
    case 'ASCII85Decode':
    case 'A85':
      return ascii85(bytes, most)
    case 'ASCIIHexDecode':
    case 'AHx':
      return asciiHex(bytes)
    case 'RunLengthDecode':
    case 'RL':
      return runLength(bytes, most)
    default:
      return null
  }
}
