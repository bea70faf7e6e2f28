/** One element of ASN.1 in its binary form. */
export type Der = {
  tag: number
  /** Content of a primitive element; of a constructed octet string, its parts put together. */
  content: Buffer
  children: Der[]
  /** The element whole. */
  whole: Buffer
}

const deepest = 40

type Read = { element: Der; end: number }

const isConstructed = (tag: number): boolean => (tag & 0x20) !== 0

function readChildren(bytes: Buffer, from: number, to: number | null, depth: number): [Der[], number] | null {
  const children: Der[] = []
  let at = from
  for (;;) {
    if (to !== null && at === to) return [children, at]
    if (to === null && bytes[at] === 0 && bytes[at + 1] === 0) return [children, at + 2]
    const child = readElement(bytes, at, depth + 1)
    if (!child || (to !== null && child.end > to) || children.length > 10_000) return null
    children.push(child.element)
    at = child.end
  }
}

function readLength(bytes: Buffer, at: number): { length: number | null; next: number } | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < 0x80) return { length: first, next: at + 1 }
  const count = first & 0x7f
  // 0x80: of unknown length, ended by two zero bytes.
  if (count === 0) return { length: null, next: at + 1 }
  if (count > 4 || at + 1 + count > bytes.length) return null
  return { length: bytes.readUIntBE(at + 1, count), next: at + 1 + count }
}

function readElement(bytes: Buffer, at: number, depth: number): Read | null {
  const tag = bytes[at]
  if (tag === undefined || depth > deepest || (tag & 0x1f) === 0x1f) return null
  const measured = readLength(bytes, at + 1)
  if (!measured) return null
  const { length, next } = measured
  if (!isConstructed(tag)) {
    if (length === null || next + length > bytes.length) return null
    const end = next + length
    const content = bytes.subarray(next, end)
    return { element: { tag, content, children: [], whole: bytes.subarray(at, end) }, end }
  }
  const to = length === null ? null : next + length
  if (to !== null && to > bytes.length) return null
  const read = readChildren(bytes, next, to, depth)
  if (!read) return null
  const [children, end] = read
  const octets = children.every((child) => child.tag === 0x04 || child.tag === 0x24)
  const content = octets
    ? Buffer.concat(children.map((child) => child.content))
    : bytes.subarray(next, to ?? end - 2)
  return { element: { tag, content, children, whole: bytes.subarray(at, end) }, end }
}

/** Reads the element that `bytes` begin with; null when there is none. Never throws. */
export function readDer(bytes: Uint8Array): Der | null {
  return readElement(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, 0)?.element ?? null
}

/** An object identifier as dotted numbers; empty for what is none. */
export function oidOf(element: Der | undefined): string {
  if (element?.tag !== 0x06 || element.content.length === 0) return ''
  const numbers: number[] = []
  let value = 0
  for (const byte of element.content) {
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      numbers.push(value)
      value = 0
    }
  }
  const first = numbers.shift() ?? 0
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...numbers].join('.')
}

/** A whole number, at most six bytes; NaN for what is none. */
export function intOf(element: Der | undefined): number {
  if (element?.tag !== 0x02 || element.content.length === 0 || element.content.length > 6) return Number.NaN
  return element.content.readUIntBE(0, element.content.length)
}
