import { openDecryption, type Decryption } from './crypt.ts'
import { pictureFilters, undoFilter, type FilterParameters } from './filter.ts'
import { openLexer, readAll, readObject } from './lexer.ts'
import {
  isArray,
  isDict,
  isName,
  isRef,
  isStream,
  isString,
  PdfError,
  pdfLimits,
  type PdfArray,
  type PdfDict,
  type PdfRef,
  type PdfStream,
  type PdfValue,
} from './value.ts'
import { readCrossReferences, readIndirect, type CrossReferences, type ObjectPosition } from './xref.ts'

/** An open PDF file. Reading is lazy; everything that a stranger's file can ask for has a bound. */
export type PdfFile = {
  bytes: Uint8Array
  trailer: PdfDict
  catalog: PdfDict
  /** The text between the file's start and the first line's end, as `%PDF-1.7`. */ header: string
  /** The encryption dictionary, when there is one. */ encrypt: PdfDict | null
  /** Follows references; a loop or a missing object is null. */
  resolve(value: PdfValue | undefined): PdfValue
  dict(value: PdfValue | undefined): PdfDict | null
  array(value: PdfValue | undefined): readonly PdfValue[]
  name(value: PdfValue | undefined): string | null
  /** Bytes of a string, one character each. */ string(value: PdfValue | undefined): string | null
  number(value: PdfValue | undefined): number | null
  stream(value: PdfValue | undefined): PdfStream | null
  /** A stream's unpacked bytes, decrypted; null when a filter is a picture's or unknown. Throws `PdfError` limit. */
  unpack(stream: PdfStream): Uint8Array | null
  /** Numbers of all objects that the file lists. */ numbers(): Iterable<number>
}

type Reader = {
  bytes: Uint8Array
  references: CrossReferences
  decryption: Decryption | null
  cache: Map<number, PdfValue>
  loading: Set<number>
  objectStreams: Map<number, readonly PdfValue[]>
  unpacked: number
}

const parametersOf = (
  file: Pick<PdfFile, 'dict' | 'number'>,
  value: PdfValue | undefined,
): FilterParameters => {
  const dict = file.dict(value)
  const read = (key: string, otherwise: number) => file.number(dict?.entries.get(key)) ?? otherwise
  return {
    predictor: read('Predictor', 1),
    colors: read('Colors', 1),
    bitsPerComponent: read('BitsPerComponent', 8),
    columns: read('Columns', 1),
    earlyChange: read('EarlyChange', 1),
  }
}

function decryptStrings(value: PdfValue, owner: PdfRef, decryption: Decryption): PdfValue {
  if (isString(value)) return { kind: 'string', raw: decryption.string(value.raw, owner) }
  if (isArray(value))
    return { kind: 'array', items: value.items.map((item) => decryptStrings(item, owner, decryption)) }
  if (isDict(value)) return decryptDict(value, owner, decryption)
  if (isStream(value)) return { ...value, dict: decryptDict(value.dict, owner, decryption) }
  return value
}

const decryptDict = (dict: PdfDict, owner: PdfRef, decryption: Decryption): PdfDict => ({
  kind: 'dict',
  entries: new Map([...dict.entries].map(([key, value]) => [key, decryptStrings(value, owner, decryption)])),
})

/** Opens a file. Throws `PdfError`: not-a-pdf, damaged (nothing to start from), locked, limit. */
export function openPdf(bytes: Uint8Array): PdfFile {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const headerAt = head.indexOf('%PDF-')
  if (headerAt < 0) throw new PdfError('not-a-pdf', 'The file does not begin as a PDF does')
  const reader: Reader = {
    bytes,
    references: { positions: new Map(), trailer: { kind: 'dict', entries: new Map() }, rebuilt: false },
    decryption: null,
    cache: new Map(),
    loading: new Set(),
    objectStreams: new Map(),
    unpacked: 0,
  }
  const file = accessors(reader, headerAt)
  const plain = (stream: PdfStream) =>
    unpackStream(reader, file, { ...stream, owner: null }) ?? new Uint8Array(0)
  reader.references = readCrossReferences(bytes, headerAt, plain)
  const { trailer } = reader.references
  const encrypt = file.dict(trailer.entries.get('Encrypt'))
  if (encrypt) {
    // Its values may be references; none of them is encrypted.
    const resolved: PdfDict = {
      kind: 'dict',
      entries: new Map([...encrypt.entries].map(([key, value]) => [key, deepResolve(file, value, 3)])),
    }
    reader.decryption = openDecryption(resolved, file.resolve(trailer.entries.get('ID')))
    reader.cache.clear()
    reader.objectStreams.clear()
    if (!reader.decryption) throw new PdfError('locked', 'The file opens only with a password')
  }
  const catalog = file.dict(trailer.entries.get('Root'))
  if (!catalog) throw new PdfError('damaged', 'The file has no document catalog')
  const header = head.slice(0, /[\r\n]/.exec(head)?.index ?? 20)
  return { ...file, bytes, trailer, catalog, header, encrypt }
}

function deepResolve(file: Pick<PdfFile, 'resolve'>, value: PdfValue, depth: number): PdfValue {
  const resolved = file.resolve(value)
  if (depth === 0 || !isDict(resolved)) return resolved
  return {
    kind: 'dict',
    entries: new Map([...resolved.entries].map(([key, inner]) => [key, deepResolve(file, inner, depth - 1)])),
  }
}

type Accessors = Omit<PdfFile, 'bytes' | 'trailer' | 'catalog' | 'header' | 'encrypt'>

function accessors(reader: Reader, headerAt: number): Accessors {
  const load = (num: number): PdfValue => {
    const known = reader.cache.get(num)
    if (known !== undefined) return known
    const position = reader.references.positions.get(num)
    if (!position || reader.loading.has(num)) return null
    reader.loading.add(num)
    try {
      const value =
        'inStream' in position
          ? loadPacked(reader, file, num, position)
          : loadAt(reader, file, num, position.at, headerAt)
      reader.cache.set(num, value)
      return value
    } finally {
      reader.loading.delete(num)
    }
  }
  const resolve = (value: PdfValue | undefined): PdfValue => {
    let at = value
    for (let hop = 0; isRef(at) && hop < 20; hop++) at = load(at.num)
    return at === undefined || isRef(at) ? null : at
  }
  const file: Accessors = {
    resolve,
    dict: (value) => {
      const resolved = resolve(value)
      return isDict(resolved) ? resolved : isStream(resolved) ? resolved.dict : null
    },
    array: (value) => {
      const resolved = resolve(value)
      return isArray(resolved) ? resolved.items : []
    },
    name: (value) => {
      const resolved = resolve(value)
      return isName(resolved) ? resolved.name : null
    },
    string: (value) => {
      const resolved = resolve(value)
      return isString(resolved) ? resolved.raw : null
    },
    number: (value) => {
      const resolved = resolve(value)
      return typeof resolved === 'number' ? resolved : null
    },
    stream: (value) => {
      const resolved = resolve(value)
      return isStream(resolved) ? resolved : null
    },
    unpack: (stream) => unpackStream(reader, file, stream),
    numbers: () => reader.references.positions.keys(),
  }
  return file
}

function loadAt(reader: Reader, file: Accessors, num: number, at: number, headerAt: number): PdfValue {
  const lengthOf = (value: PdfValue | undefined) => file.number(value)
  let object = readIndirect(reader.bytes, at, lengthOf)
  if (object?.num !== num && headerAt > 0) object = readIndirect(reader.bytes, at + headerAt, lengthOf)
  if (object?.num !== num) return null
  const owner: PdfRef = { kind: 'ref', num, gen: object.gen }
  return reader.decryption ? decryptStrings(object.value, owner, reader.decryption) : object.value
}

function loadPacked(
  reader: Reader,
  file: Accessors,
  num: number,
  position: Extract<ObjectPosition, { inStream: number }>,
): PdfValue {
  let objects = reader.objectStreams.get(position.inStream)
  if (!objects) {
    const holder: PdfRef = { kind: 'ref', num: position.inStream, gen: 0 }
    const stream = file.stream(holder)
    const data = stream && file.unpack(stream)
    if (!stream || !data) return null
    const first = file.number(stream.dict.entries.get('First')) ?? 0
    const count = Math.min(file.number(stream.dict.entries.get('N')) ?? 0, pdfLimits.objects)
    const index = readAll(data.subarray(0, first), 2 * count)
    const found: PdfValue[] = []
    for (let i = 0; i < count; i++) {
      const at = index[2 * i + 1]
      found.push(typeof at === 'number' ? (readObject(openLexer(data, first + at)) ?? null) : null)
    }
    const numbers: PdfArray = { kind: 'array', items: index.filter((_, i) => i % 2 === 0) }
    objects = [numbers, ...found]
    reader.objectStreams.set(position.inStream, objects)
  }
  const numbers = objects[0] as PdfArray
  const index = numbers.items[position.index] === num ? position.index : numbers.items.indexOf(num)
  return index < 0 ? null : (objects[index + 1] ?? null)
}

function unpackStream(reader: Reader, file: Accessors, stream: PdfStream): Uint8Array | null {
  const { entries } = stream.dict
  let bytes = stream.encoded
  const filterValue = file.resolve(entries.get('Filter') ?? entries.get('F'))
  const filters = isName(filterValue)
    ? [filterValue.name]
    : file.array(filterValue).map((f) => file.name(f) ?? '')
  const parameters = file.resolve(entries.get('DecodeParms') ?? entries.get('DP'))
  const isCrypt = filters[0] === 'Crypt' || file.name(entries.get('Type')) === 'XRef'
  if (reader.decryption && stream.owner && !isCrypt) bytes = reader.decryption.stream(bytes, stream.owner)
  for (const [i, filter] of filters.entries()) {
    if (filter === 'Crypt') continue
    if (pictureFilters.has(filter)) return null
    const own = isArray(parameters) ? parameters.items[i] : parameters
    const undone = undoFilter(filter, bytes, parametersOf(file, own))
    if (!undone) return null
    reader.unpacked += undone.length
    if (reader.unpacked > pdfLimits.totalBytes)
      throw new PdfError('limit', `The file unpacks to more than ${pdfLimits.totalBytes / 2 ** 20} MiB`)
    bytes = undone
  }
  return bytes
}
