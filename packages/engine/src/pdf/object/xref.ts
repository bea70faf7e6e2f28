import { isSpace, openLexer, readAll, readObject, type Lexer } from './lexer.ts'
import {
  isArray,
  isDict,
  isRef,
  isStream,
  PdfError,
  pdfLimits,
  type PdfDict,
  type PdfStream,
  type PdfValue,
} from './value.ts'

/** Where an object is: at an offset, or as the n-th of an object stream. */
export type ObjectPosition = { at: number; gen: number } | { inStream: number; index: number }
export type CrossReferences = { positions: Map<number, ObjectPosition>; trailer: PdfDict; rebuilt: boolean }

/** An indirect object as it is in the file: `num gen obj value`. Undefined when none starts there. */
export type ReadObject = { num: number; gen: number; value: PdfValue; end: number }
/** Unpacks a cross-reference stream, which is never encrypted. */
export type UnpackPlain = (stream: PdfStream) => Uint8Array

const isWordOf = (value: PdfValue | undefined, word: string): boolean =>
  typeof value === 'object' && value !== null && value.kind === 'word' && value.word === word

const latin = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The encoded bytes of a stream whose dictionary was just read, `Length` trusted only when `endstream` follows. */
function streamBytes(
  lexer: Lexer,
  dict: PdfDict,
  lengthOf: (value: PdfValue | undefined) => number | null,
): Uint8Array {
  const { bytes } = lexer
  let from = lexer.at
  if (bytes[from] === 13) from += 1
  if (bytes[from] === 10) from += 1
  const length = lengthOf(dict.entries.get('Length'))
  if (length !== null && from + length <= lexer.end) {
    let after = from + length
    while (after < lexer.end && isSpace(bytes[after])) after += 1
    if (latin(bytes).toString('latin1', after, Math.min(after + 9, lexer.end)) === 'endstream') {
      lexer.at = after + 9
      return bytes.subarray(from, from + length)
    }
  }
  const found = latin(bytes).indexOf('endstream', from, 'latin1')
  const end = found < 0 ? lexer.end : found
  lexer.at = Math.min(lexer.end, end + 9)
  let to = end
  if (bytes[to - 1] === 10) to -= 1
  if (bytes[to - 1] === 13) to -= 1
  return bytes.subarray(from, Math.max(from, to))
}

/** Reads the indirect object at an offset. @param lengthOf resolves a stream's `Length` */
export function readIndirect(
  bytes: Uint8Array,
  at: number,
  lengthOf: (value: PdfValue | undefined) => number | null,
): ReadObject | undefined {
  if (at < 0 || at >= bytes.length) return undefined
  const lexer = openLexer(bytes, at)
  const num = lexer.next()
  const gen = lexer.next()
  if (typeof num !== 'number' || typeof gen !== 'number' || !isWordOf(lexer.next(), 'obj')) return undefined
  const value = readObject(lexer)
  if (value === undefined || isWordOf(value, 'endobj')) return { num, gen, value: null, end: lexer.at }
  if (isDict(value)) {
    const back = lexer.at
    if (isWordOf(lexer.next(), 'stream')) {
      const encoded = streamBytes(lexer, value, lengthOf)
      return {
        num,
        gen,
        value: { kind: 'stream', dict: value, encoded, owner: { kind: 'ref', num, gen } },
        end: lexer.at,
      }
    }
    lexer.at = back
  }
  return { num, gen, value, end: lexer.at }
}

function readTable(lexer: Lexer, positions: Map<number, ObjectPosition>): PdfDict | undefined {
  for (;;) {
    const first = lexer.next()
    if (isWordOf(first, 'trailer')) {
      const trailer = lexer.next()
      return isDict(trailer) ? trailer : undefined
    }
    const count = lexer.next()
    if (typeof first !== 'number' || typeof count !== 'number') return undefined
    for (let i = 0; i < count && i < pdfLimits.objects; i++) {
      const at = lexer.next()
      const gen = lexer.next()
      const use = lexer.next()
      if (typeof at !== 'number' || typeof gen !== 'number') return undefined
      if (isWordOf(use, 'n') && !positions.has(first + i)) positions.set(first + i, { at, gen })
    }
  }
}

const numbersOf = (value: PdfValue | undefined): number[] =>
  isArray(value) ? value.items.filter((item) => typeof item === 'number') : []

function readStreamTable(
  stream: PdfStream,
  unpack: UnpackPlain,
  positions: Map<number, ObjectPosition>,
): void {
  const widths = numbersOf(stream.dict.entries.get('W'))
  const size = stream.dict.entries.get('Size')
  const index = numbersOf(stream.dict.entries.get('Index'))
  const ranges = index.length > 1 ? index : [0, typeof size === 'number' ? size : 0]
  const data = unpack(stream)
  const row = widths.reduce((sum, width) => sum + width, 0)
  if (widths.length < 3 || row < 1 || widths.some((width) => width < 0 || width > 8)) return
  let at = 0
  const field = (width: number, otherwise: number): number => {
    if (width === 0) return otherwise
    let value = 0
    for (let i = 0; i < width; i++) value = value * 256 + (data[at + i] ?? 0)
    at += width
    return value
  }
  for (let r = 0; r + 1 < ranges.length; r += 2)
    for (let i = 0; i < ranges[r + 1]! && at + row <= data.length; i++) {
      const type = field(widths[0]!, 1)
      const second = field(widths[1]!, 0)
      const third = field(widths[2]!, 0)
      const num = ranges[r]! + i
      if (positions.has(num)) continue
      if (type === 1) positions.set(num, { at: second, gen: third })
      if (type === 2) positions.set(num, { inStream: second, index: third })
    }
}

const directLength = (value: PdfValue | undefined): number | null =>
  typeof value === 'number' ? value : null

/** Follows the chain of tables from `startxref`; null when a link of it is broken. */
function follow(bytes: Uint8Array, start: number, unpack: UnpackPlain): CrossReferences | null {
  const positions = new Map<number, ObjectPosition>()
  const seen = new Set<number>()
  const queue = [start]
  let trailer: PdfDict | null = null
  while (queue.length > 0) {
    const at = queue.shift()!
    if (seen.has(at) || seen.size > 10_000) continue
    seen.add(at)
    const lexer = openLexer(bytes, at)
    let dict: PdfDict | undefined
    if (isWordOf(lexer.next(), 'xref')) {
      dict = readTable(lexer, positions)
    } else {
      const object = readIndirect(bytes, at, directLength)
      if (object && isStream(object.value)) {
        dict = object.value.dict
        readStreamTable(object.value, unpack, positions)
      }
    }
    if (!dict) return null
    trailer ??= dict
    // A hybrid file's stream comes before the older table.
    for (const key of ['XRefStm', 'Prev']) {
      const next = dict.entries.get(key)
      if (typeof next === 'number' && next > 0) queue.push(next)
    }
  }
  return trailer && { positions, trailer, rebuilt: false }
}

/** Finds every `n g obj` by reading through the file; of several with one number the last counts. */
function rebuild(bytes: Uint8Array, unpack: UnpackPlain): CrossReferences {
  const positions = new Map<number, ObjectPosition>()
  const text = latin(bytes).toString('latin1')
  const entries = new Map<string, PdfValue>()
  const streams: number[] = []
  let count = 0
  for (const match of text.matchAll(
    /(?<![0-9])(\d{1,10})[ \t\r\n\0\f]+(\d{1,5})[ \t\r\n\0\f]+obj(?![a-z])/g,
  )) {
    if (++count > pdfLimits.objects) throw new PdfError('limit', 'The file has too many objects')
    positions.set(Number(match[1]), { at: match.index, gen: Number(match[2]) })
    const head = text.slice(match.index, match.index + 400)
    if (/\/Type\s*\/(ObjStm|XRef)\b/.test(head)) streams.push(match.index)
  }
  for (const match of text.matchAll(/trailer/g)) {
    const dict = openLexer(bytes, match.index + 7).next()
    if (isDict(dict)) for (const [key, value] of dict.entries) entries.set(key, value)
  }
  for (const at of streams) {
    const object = readIndirect(bytes, at, directLength)
    if (!object || !isStream(object.value)) continue
    const { dict } = object.value
    const type = dict.entries.get('Type')
    if (typeof type === 'object' && type?.kind === 'name' && type.name === 'XRef') {
      for (const key of ['Root', 'Encrypt', 'ID', 'Info'])
        if (dict.entries.has(key)) entries.set(key, dict.entries.get(key)!)
    } else if (!entries.has('Encrypt')) listObjectStream(object.num, object.value, unpack, positions)
  }
  if (!entries.has('Root')) {
    const root = /(?<!\d)(\d{1,10})\s{1,20}(\d{1,10})\s{1,20}obj[^]{0,400}?\/Type\s{0,20}\/Catalog\b/.exec(
      text,
    )
    if (root) entries.set('Root', { kind: 'ref', num: Number(root[1]), gen: Number(root[2]) })
  }
  return { positions, trailer: { kind: 'dict', entries }, rebuilt: true }
}

function listObjectStream(
  num: number,
  stream: PdfStream,
  unpack: UnpackPlain,
  positions: Map<number, ObjectPosition>,
): void {
  const count = stream.dict.entries.get('N')
  if (typeof count !== 'number') return
  const index = readAll(unpack(stream), Math.min(2 * count, pdfLimits.objects))
  for (let i = 0; i < count; i++) {
    const inner = index[2 * i]
    if (typeof inner === 'number' && !positions.has(inner)) positions.set(inner, { inStream: num, index: i })
  }
}

/** Where everything is in the file. A broken table is made anew from the objects themselves. */
export function readCrossReferences(
  bytes: Uint8Array,
  headerAt: number,
  unpack: UnpackPlain,
): CrossReferences {
  const tail = latin(bytes).toString('latin1', Math.max(0, bytes.length - 2048))
  const start = /^startxref\s+(\d+)/.exec(tail.slice(Math.max(0, tail.lastIndexOf('startxref'))))
  if (start) {
    const at = Number(start[1])
    for (const offset of headerAt > 0 ? [at, at + headerAt] : [at]) {
      const followed = follow(bytes, offset, unpack)
      const root = followed?.trailer.entries.get('Root')
      if (followed && (isRef(root) ? hasRoot(bytes, followed, root.num) : isDict(root))) return followed
    }
  }
  return rebuild(bytes, unpack)
}

function hasRoot(bytes: Uint8Array, { positions }: CrossReferences, num: number): boolean {
  const position = positions.get(num)
  if (!position) return false
  if ('inStream' in position) return positions.has(position.inStream)
  return readIndirect(bytes, position.at, directLength)?.num === num
}
