/**
 * The browser's cryptography (NSS) is linked to SQLite for its certificate database, which the browser package leaves out and
 * a small Debian lacks: without the library the first https page ends the browser. We want no such database: profiles are
 * empty, and certificates are checked by the guard. So the browser gets a library of that name in which every function
 * fails, and NSS goes on without.
 */
const functions =
  'bind_blob bind_int bind_text busy_timeout close column_bytes column_count column_int exec file_control finalize free open_v2 prepare_v2 reset step'
    .split(' ')
    .map((name) => `sqlite3_${name}`)
const pointers = ['column_blob', 'column_name', 'column_text', 'mprintf'].map((name) => `sqlite3_${name}`)
const variables = ['sqlite3_temp_directory']

/** `mov eax, 1; ret`: SQLITE_ERROR. */
const returnsError = Buffer.from('b801000000c3', 'hex')
/** `xor eax, eax; ret`: a null pointer. */
const returnsNull = Buffer.from('31c0c3', 'hex')

const page = 0x1000
const symbolBytes = 24
const programHeaderBytes = 56
const elfHeaderBytes = 64
const global = 0x10
const [objectType, functionType] = [1, 2]
/** Any but the undefined one: nobody reads the sections, of which there are none. */
const someSection = 1

/** Numbers as ELF writes them on x86-64, each of so many bytes. */
const numbers =
  (bytes: 2 | 4 | 8) =>
  (...values: readonly number[]): Buffer => {
    const out = Buffer.alloc(bytes * values.length)
    for (const [at, value] of values.entries()) out.writeUIntLE(value, at * bytes, Math.min(bytes, 6))
    return out
  }
const [halves, words, longs] = [numbers(2), numbers(4), numbers(8)]

/** The names of a library, each ended by a zero byte, and where each begins. */
function namesOf(names: readonly string[]): { bytes: Buffer; at: (name: string) => number } {
  const bytes = Buffer.from(`\0${names.join('\0')}\0`)
  return { bytes, at: (name) => bytes.indexOf(`\0${name}\0`) + 1 }
}

/** The bytes of `libsqlite3.so.0` for Linux on x86-64. */
export function sqliteStub(): Buffer {
  const soname = 'libsqlite3.so.0'
  const symbols = [...functions, ...pointers, ...variables]
  const names = namesOf([soname, ...symbols])
  const headers = elfHeaderBytes + 4 * programHeaderBytes
  const hashAt = headers
  // One bucket, whose chain is every symbol in turn.
  const count = symbols.length + 1
  const chain = symbols.map((_, at) => (at + 2) % count)
  const hash = words(1, count, 1, 0, ...chain)
  const symbolsAt = hashAt + Math.ceil(hash.length / 8) * 8
  const namesAt = symbolsAt + (symbols.length + 1) * symbolBytes
  const errorAt = namesAt + names.bytes.length
  const nullAt = errorAt + returnsError.length
  const readBytes = nullAt + returnsNull.length
  const dataAt = Math.ceil(readBytes / page) * page
  const variableAt = dataAt
  const dynamicAt = dataAt + 8
  const symbolOf = (name: string): Buffer => {
    const isVariable = variables.includes(name)
    const code = pointers.includes(name) ? nullAt : errorAt
    return Buffer.concat([
      words(names.at(name)),
      Buffer.of((global & 0xf0) | (isVariable ? objectType : functionType), 0),
      halves(someSection),
      longs(isVariable ? variableAt : code, isVariable ? 8 : 0),
    ])
  }
  const entries = { hash: 4, names: 5, symbols: 6, namesSize: 10, symbolSize: 11, soname: 14, end: 0 }
  const dynamic = Buffer.concat([
    longs(entries.hash, hashAt, entries.names, namesAt, entries.symbols, symbolsAt),
    longs(entries.namesSize, names.bytes.length, entries.symbolSize, symbolBytes),
    longs(entries.soname, names.at(soname), entries.end, 0),
  ])
  const dataBytes = 8 + dynamic.length
  const [load, dynamicSegment, stack] = [1, 2, 0x6474_e551]
  const [execute, write, read] = [1, 2, 4]
  const segment = (type: number, flags: number, at: number, bytes: number, align: number): Buffer =>
    Buffer.concat([words(type, flags), longs(at, at, at, bytes, bytes, align)])
  const [shared, x86] = [3, 62]
  const file = Buffer.alloc(dataAt + dataBytes)
  const put = (at: number, ...parts: readonly Buffer[]) => void Buffer.concat(parts).copy(file, at)
  put(
    0,
    Buffer.from('7f454c46020101000000000000000000', 'hex'),
    Buffer.concat([halves(shared, x86), words(1), longs(0, elfHeaderBytes, 0), words(0)]),
    halves(elfHeaderBytes, programHeaderBytes, 4, 64, 0, 0),
    segment(load, read | execute, 0, readBytes, page),
    segment(load, read | write, dataAt, dataBytes, page),
    segment(dynamicSegment, read | write, dynamicAt, dynamic.length, 8),
    segment(stack, read | write, 0, 0, 16),
  )
  put(hashAt, hash)
  put(symbolsAt, Buffer.alloc(symbolBytes), ...symbols.map(symbolOf))
  put(namesAt, names.bytes, returnsError, returnsNull)
  put(dynamicAt, dynamic)
  return file
}
