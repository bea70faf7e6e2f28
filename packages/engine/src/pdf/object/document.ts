import { openDecryption, type Decryption } from './crypt.ts'
import { imageFilters, undoFilter, type FilterParameters } from './filter.ts'
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

/** An open PDF file, read lazily. All resources that an untrusted file can consume are limited. */
export type PdfFile = {
  bytes: Uint8Array
  trailer: PdfDict
  catalog: PdfDict
  /** First line of the file, such as `%PDF-1.7`. */
  header: string
  /** The encryption dictionary, when there is one. */
  encrypt: PdfDict | null
  /** Resolves references; null for loops and missing objects. */
  resolve(value: PdfValue | undefined): PdfValue
  dict(value: PdfValue | undefined): PdfDict | null
  array(value: PdfValue | undefined): readonly PdfValue[]
  name(value: PdfValue | undefined): string | null
  /** Bytes of a string, one character each. */
  string(value: PdfValue | undefined): string | null
  number(value: PdfValue | undefined): number | null
  stream(value: PdfValue | undefined): PdfStream | null
  /**
   * Decrypted and unpacked bytes of a stream; null if a filter is an image filter or unknown. @throws PdfError with
   * trouble `limit`
   */
  unpack(stream: PdfStream): Uint8Array | null
  /** True if a part that was read so far is missing or cannot be decoded. */
  isDamaged(): boolean
  /** Numbers of all objects that the file lists. */
  numbers(): Iterable<number>
}

type FileReader = {
  bytes: Uint8Array
  references: CrossReferences
  decryption: Decryption | null
  cache: Map<number, PdfValue>
  loading: Set<number>
  objectStreams: Map<number, readonly PdfValue[]>
  unpacked: number
  isDamaged: boolean
}

const readParameters = (file: Pick<PdfFile, 'dict' | 'number'>, value: PdfValue | undefined): FilterParameters => {
  const parameterDict = file.dict(value)
  const getParameter = (key: string, defaultValue: number) => file.number(parameterDict?.entries.get(key)) ?? defaultValue
  return {
    predictor: getParameter('Predictor', 1),
    colors: getParameter('Colors', 1),
    bitsPerComponent: getParameter('BitsPerComponent', 8),
    columns: getParameter('Columns', 1),
    earlyChange: getParameter('EarlyChange', 1),
  }
}

function decryptStrings(value: PdfValue, owner: PdfRef, decryption: Decryption): PdfValue {
  if (isString(value)) return { kind: 'string', raw: decryption.string(value.raw, owner) }
  if (isArray(value)) return { kind: 'array', items: value.items.map((item) => decryptStrings(item, owner, decryption)) }
  if (isDict(value)) return decryptDict(value, owner, decryption)
  if (isStream(value)) return { ...value, dict: decryptDict(value.dict, owner, decryption) }
  return value
}

const decryptDict = (dict: PdfDict, owner: PdfRef, decryption: Decryption): PdfDict => ({
  kind: 'dict',
  entries: new Map([...dict.entries].map(([key, value]) => [key, decryptStrings(value, owner, decryption)])),
})

/** Opens a file. @throws PdfError with trouble not-a-pdf, damaged (no catalog), locked or limit */
export function openPdf(bytes: Uint8Array): PdfFile {
  const headText = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const headerOffset = headText.indexOf('%PDF-')
  if (headerOffset < 0) throw new PdfError('not-a-pdf', 'The file does not begin as a PDF does')
  const fileReader: FileReader = {
    bytes,
    references: { positions: new Map(), trailer: { kind: 'dict', entries: new Map() }, isRebuilt: false },
    decryption: null,
    cache: new Map(),
    loading: new Set(),
    objectStreams: new Map(),
    unpacked: 0,
    isDamaged: false,
  }
  const fileAccessors = createAccessors(fileReader, headerOffset)
  const unpackPlain = (stream: PdfStream) =>
    unpackStream(fileReader, fileAccessors, { ...stream, owner: null }) ?? new Uint8Array(0)
  fileReader.references = readCrossReferences(bytes, headerOffset, unpackPlain)
  const { trailer: fileTrailer, isRebuilt } = fileReader.references
  // Without its end, a file has lost what came last.
  const hasEnd = Buffer.from(bytes.subarray(-2048)).includes('%%EOF')
  fileReader.isDamaged = isRebuilt && !hasEnd
  const encryptDict = fileAccessors.dict(fileTrailer.entries.get('Encrypt'))
  if (encryptDict) {
    // Its values may be references; none of them is encrypted.
    const resolvedEncrypt: PdfDict = {
      kind: 'dict',
      entries: new Map([...encryptDict.entries].map(([key, value]) => [key, resolveDeep(fileAccessors, value, 3)])),
    }
    fileReader.decryption = openDecryption(resolvedEncrypt, fileAccessors.resolve(fileTrailer.entries.get('ID')))
    fileReader.cache.clear()
    fileReader.objectStreams.clear()
    if (!fileReader.decryption) throw new PdfError('locked', 'The file opens only with a password')
  }
  const catalogDict = fileAccessors.dict(fileTrailer.entries.get('Root'))
  if (!catalogDict) throw new PdfError('damaged', 'The file has no document catalog')
  const headerLine = headText.slice(0, /[\r\n]/.exec(headText)?.index ?? 20)
  return { ...fileAccessors, bytes, trailer: fileTrailer, catalog: catalogDict, header: headerLine, encrypt: encryptDict }
}

function resolveDeep(file: Pick<PdfFile, 'resolve'>, value: PdfValue, depth: number): PdfValue {
  const resolvedValue = file.resolve(value)
  if (depth === 0 || !isDict(resolvedValue)) return resolvedValue
  return {
    kind: 'dict',
    entries: new Map([...resolvedValue.entries].map(([key, innerValue]) => [key, resolveDeep(file, innerValue, depth - 1)])),
  }
}

type Accessors = Omit<PdfFile, 'bytes' | 'trailer' | 'catalog' | 'header' | 'encrypt'>

function createAccessors(fileReader: FileReader, headerOffset: number): Accessors {
  const loadObject = (objectNumber: number): PdfValue => {
    const cachedValue = fileReader.cache.get(objectNumber)
    if (cachedValue !== undefined) return cachedValue
    const objectPosition = fileReader.references.positions.get(objectNumber)
    if (!objectPosition && fileReader.references.isRebuilt) fileReader.isDamaged = true
    if (!objectPosition || fileReader.loading.has(objectNumber)) return null
    fileReader.loading.add(objectNumber)
    try {
      const loadedValue =
        'inStream' in objectPosition
          ? loadFromObjectStream(fileReader, fileAccessors, objectNumber, objectPosition)
          : loadAtOffset(fileReader, fileAccessors, objectNumber, objectPosition.at, headerOffset)
      fileReader.cache.set(objectNumber, loadedValue)
      return loadedValue
    } finally {
      fileReader.loading.delete(objectNumber)
    }
  }
  const resolveReference = (value: PdfValue | undefined): PdfValue => {
    let currentValue = value
    for (let hopCount = 0; isRef(currentValue) && hopCount < 20; hopCount++) currentValue = loadObject(currentValue.num)
    return currentValue === undefined || isRef(currentValue) ? null : currentValue
  }
  const fileAccessors: Accessors = {
    resolve: resolveReference,
    dict: (value) => {
      const resolvedValue = resolveReference(value)
      return isDict(resolvedValue) ? resolvedValue : isStream(resolvedValue) ? resolvedValue.dict : null
    },
    array: (value) => {
      const resolvedValue = resolveReference(value)
      return isArray(resolvedValue) ? resolvedValue.items : []
    },
    name: (value) => {
      const resolvedValue = resolveReference(value)
      return isName(resolvedValue) ? resolvedValue.name : null
    },
    string: (value) => {
      const resolvedValue = resolveReference(value)
      return isString(resolvedValue) ? resolvedValue.raw : null
    },
    number: (value) => {
      const resolvedValue = resolveReference(value)
      return typeof resolvedValue === 'number' ? resolvedValue : null
    },
    stream: (value) => {
      const resolvedValue = resolveReference(value)
      return isStream(resolvedValue) ? resolvedValue : null
    },
    unpack: (stream) => unpackStream(fileReader, fileAccessors, stream),
    isDamaged: () => fileReader.isDamaged,
    numbers: () => fileReader.references.positions.keys(),
  }
  return fileAccessors
}

function loadAtOffset(
  fileReader: FileReader,
  file: Accessors,
  objectNumber: number,
  objectOffset: number,
  headerOffset: number,
): PdfValue {
  const getLength = (value: PdfValue | undefined) => file.number(value)
  let indirectObject = readIndirect(fileReader.bytes, objectOffset, getLength)
  if (indirectObject?.num !== objectNumber && headerOffset > 0)
    indirectObject = readIndirect(fileReader.bytes, objectOffset + headerOffset, getLength)
  if (indirectObject?.num !== objectNumber) return null
  const ownerRef: PdfRef = { kind: 'ref', num: objectNumber, gen: indirectObject.gen }
  return fileReader.decryption ? decryptStrings(indirectObject.value, ownerRef, fileReader.decryption) : indirectObject.value
}

function loadFromObjectStream(
  fileReader: FileReader,
  file: Accessors,
  objectNumber: number,
  position: Extract<ObjectPosition, { inStream: number }>,
): PdfValue {
  let streamObjects = fileReader.objectStreams.get(position.inStream)
  if (!streamObjects) {
    const streamRef: PdfRef = { kind: 'ref', num: position.inStream, gen: 0 }
    const objectStream = file.stream(streamRef)
    const streamData = objectStream && file.unpack(objectStream)
    if (!objectStream || !streamData) return null
    const firstOffset = file.number(objectStream.dict.entries.get('First')) ?? 0
    const objectCount = Math.min(file.number(objectStream.dict.entries.get('N')) ?? 0, pdfLimits.objects)
    const offsetIndex = readAll(streamData.subarray(0, firstOffset), 2 * objectCount)
    const parsedObjects: PdfValue[] = []
    for (let i = 0; i < objectCount; i++) {
      const objectOffset = offsetIndex[2 * i + 1]
      parsedObjects.push(
        typeof objectOffset === 'number' ? (readObject(openLexer(streamData, firstOffset + objectOffset)) ?? null) : null,
      )
    }
    const objectNumbers: PdfArray = { kind: 'array', items: offsetIndex.filter((_, i) => i % 2 === 0) }
    streamObjects = [objectNumbers, ...parsedObjects]
    fileReader.objectStreams.set(position.inStream, streamObjects)
  }
  const numberArray = streamObjects[0] as PdfArray
  const objectIndex =
    numberArray.items[position.index] === objectNumber ? position.index : numberArray.items.indexOf(objectNumber)
  return objectIndex < 0 ? null : (streamObjects[objectIndex + 1] ?? null)
}

/** Maximum length of the encoded form of a stream without content. */
const emptyStreamBytes = 32

function unpackStream(fileReader: FileReader, file: Accessors, stream: PdfStream): Uint8Array | null {
  const { entries } = stream.dict
  let currentBytes = stream.encoded
  const filterEntry = file.resolve(entries.get('Filter') ?? entries.get('F'))
  const filterNames = isName(filterEntry)
    ? [filterEntry.name]
    : file.array(filterEntry).map((filterItem) => file.name(filterItem) ?? '')
  const filterParameters = file.resolve(entries.get('DecodeParms') ?? entries.get('DP'))
  const streamType = file.name(entries.get('Type'))
  const isPlain =
    filterNames[0] === 'Crypt' ||
    streamType === 'XRef' ||
    (streamType === 'Metadata' && fileReader.decryption?.isMetadataPlain === true)
  if (fileReader.decryption && stream.owner && !isPlain) currentBytes = fileReader.decryption.stream(currentBytes, stream.owner)
  for (const [i, filter] of filterNames.entries()) {
    if (filter === 'Crypt') continue
    if (imageFilters.has(filter)) return null
    const ownParameters = isArray(filterParameters) ? filterParameters.items[i] : filterParameters
    const decodedBytes = undoFilter(filter, currentBytes, readParameters(file, ownParameters))
    if (!decodedBytes) return null
    if (decodedBytes.length === 0 && currentBytes.length > emptyStreamBytes) fileReader.isDamaged = true
    fileReader.unpacked += decodedBytes.length
    if (fileReader.unpacked > pdfLimits.totalBytes)
      throw new PdfError('limit', `The file unpacks to more than ${pdfLimits.totalBytes / 2 ** 20} MiB`)
    currentBytes = decodedBytes
  }
  return currentBytes
}
