/**
 * The browser's cryptography library (NSS) links to SQLite for its certificate database. The browser package omits SQLite and a
 * minimal Debian lacks it: the first https page would crash the browser. The database is not needed, because profiles are empty
 * and the guard checks certificates. This stub library has the same name, and all its functions fail; NSS continues without it.
 */
const stubFunctions =
  'bind_blob bind_int bind_text busy_timeout close column_bytes column_count column_int exec file_control finalize free open_v2 prepare_v2 reset step'
    .split(' ')
    .map((name) => `sqlite3_${name}`)
const pointerFunctions = ['column_blob', 'column_name', 'column_text', 'mprintf'].map((name) => `sqlite3_${name}`)
const stubVariables = ['sqlite3_temp_directory']

/** `mov eax, 1; ret`: SQLITE_ERROR. */
const returnsError = Buffer.from('b801000000c3', 'hex')
/** `xor eax, eax; ret`: a null pointer. */
const returnsNull = Buffer.from('31c0c3', 'hex')

const memoryPageBytes = 0x1000
const symbolBytes = 24
const programHeaderBytes = 56
const elfHeaderBytes = 64
const globalBinding = 0x10
const [objectType, functionType] = [1, 2]
/** Any section other than the undefined one. There are no sections, and none are read. */
const definedSection = 1

/** Encodes little-endian numbers of a fixed width, as in ELF on x86-64. */
const encodeNumbers =
  (byteWidth: 2 | 4 | 8) =>
  (...values: readonly number[]): Buffer => {
    const encodedNumbers = Buffer.alloc(byteWidth * values.length)
    for (const [valueIndex, value] of values.entries())
      encodedNumbers.writeUIntLE(value, valueIndex * byteWidth, Math.min(byteWidth, 6))
    return encodedNumbers
  }
const [encodeHalves, encodeWords, encodeLongs] = [encodeNumbers(2), encodeNumbers(4), encodeNumbers(8)]

/** Builds the table of null-terminated names; `findOffset` returns where a name begins. */
function buildNameTable(symbolNames: readonly string[]): { nameBytes: Buffer; findOffset: (name: string) => number } {
  const nameBytes = Buffer.from(`\0${symbolNames.join('\0')}\0`)
  return { nameBytes, findOffset: (name) => nameBytes.indexOf(`\0${name}\0`) + 1 }
}

/** The bytes of `libsqlite3.so.0` for Linux on x86-64. */
export function sqliteStub(): Buffer {
  const soname = 'libsqlite3.so.0'
  const symbolNames = [...stubFunctions, ...pointerFunctions, ...stubVariables]
  const nameTable = buildNameTable([soname, ...symbolNames])
  const hashOffset = elfHeaderBytes + 4 * programHeaderBytes
  // One bucket with a chain of all symbols.
  const symbolCount = symbolNames.length + 1
  const hashChain = symbolNames.map((_, symbolIndex) => (symbolIndex + 2) % symbolCount)
  const hashTable = encodeWords(1, symbolCount, 1, 0, ...hashChain)
  const symbolsOffset = hashOffset + Math.ceil(hashTable.length / 8) * 8
  const namesOffset = symbolsOffset + (symbolNames.length + 1) * symbolBytes
  const errorOffset = namesOffset + nameTable.nameBytes.length
  const nullOffset = errorOffset + returnsError.length
  const readOnlyBytes = nullOffset + returnsNull.length
  const dataOffset = Math.ceil(readOnlyBytes / memoryPageBytes) * memoryPageBytes
  const variableOffset = dataOffset
  const dynamicOffset = dataOffset + 8
  const encodeSymbol = (name: string): Buffer => {
    const isVariable = stubVariables.includes(name)
    const codeOffset = pointerFunctions.includes(name) ? nullOffset : errorOffset
    return Buffer.concat([
      encodeWords(nameTable.findOffset(name)),
      Buffer.of((globalBinding & 0xf0) | (isVariable ? objectType : functionType), 0),
      encodeHalves(definedSection),
      encodeLongs(isVariable ? variableOffset : codeOffset, isVariable ? 8 : 0),
    ])
  }
  const dynamicTags = { hash: 4, names: 5, symbols: 6, namesSize: 10, symbolSize: 11, soname: 14, end: 0 }
  const dynamicTable = Buffer.concat([
    encodeLongs(dynamicTags.hash, hashOffset, dynamicTags.names, namesOffset, dynamicTags.symbols, symbolsOffset),
    encodeLongs(dynamicTags.namesSize, nameTable.nameBytes.length, dynamicTags.symbolSize, symbolBytes),
    encodeLongs(dynamicTags.soname, nameTable.findOffset(soname), dynamicTags.end, 0),
  ])
  const dataBytes = 8 + dynamicTable.length
  const [loadSegment, dynamicSegment, stackSegment] = [1, 2, 0x6474_e551]
  const [executeFlag, writeFlag, readFlag] = [1, 2, 4]
  const encodeSegment = (type: number, flags: number, segmentOffset: number, segmentBytes: number, align: number): Buffer =>
    Buffer.concat([
      encodeWords(type, flags),
      encodeLongs(segmentOffset, segmentOffset, segmentOffset, segmentBytes, segmentBytes, align),
    ])
  const [sharedObject, x86Machine] = [3, 62]
  const libraryBytes = Buffer.alloc(dataOffset + dataBytes)
  const writeAt = (targetOffset: number, ...parts: readonly Buffer[]) =>
    void Buffer.concat(parts).copy(libraryBytes, targetOffset)
  writeAt(
    0,
    Buffer.from('7f454c46020101000000000000000000', 'hex'),
    Buffer.concat([encodeHalves(sharedObject, x86Machine), encodeWords(1), encodeLongs(0, elfHeaderBytes, 0), encodeWords(0)]),
    encodeHalves(elfHeaderBytes, programHeaderBytes, 4, 64, 0, 0),
    encodeSegment(loadSegment, readFlag | executeFlag, 0, readOnlyBytes, memoryPageBytes),
    encodeSegment(loadSegment, readFlag | writeFlag, dataOffset, dataBytes, memoryPageBytes),
    encodeSegment(dynamicSegment, readFlag | writeFlag, dynamicOffset, dynamicTable.length, 8),
    encodeSegment(stackSegment, readFlag | writeFlag, 0, 0, 16),
  )
  writeAt(hashOffset, hashTable)
  writeAt(symbolsOffset, Buffer.alloc(symbolBytes), ...symbolNames.map(encodeSymbol))
  writeAt(namesOffset, nameTable.nameBytes, returnsError, returnsNull)
  writeAt(dynamicOffset, dynamicTable)
  return libraryBytes
}
