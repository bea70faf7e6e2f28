/** One ASN.1 element in DER or BER. */
export type DerElement = {
  tag: number
  /** Content of a primitive element; for a constructed octet string, its concatenated parts. */
  content: Buffer
  children: DerElement[]
  /** All bytes of the element. */
  rawBytes: Buffer
}

const maxDepth = 40

type ReadResult = { element: DerElement; endOffset: number }

const isConstructed = (tag: number): boolean => (tag & 0x20) !== 0

function readChildren(
  bytes: Buffer,
  startOffset: number,
  endOffset: number | null,
  depth: number,
): [DerElement[], number] | null {
  const childElements: DerElement[] = []
  let offset = startOffset
  for (;;) {
    if (endOffset !== null && offset === endOffset) return [childElements, offset]
    if (endOffset === null && bytes[offset] === 0 && bytes[offset + 1] === 0) return [childElements, offset + 2]
    const readChild = readElement(bytes, offset, depth + 1)
    if (!readChild || (endOffset !== null && readChild.endOffset > endOffset) || childElements.length > 10_000) return null
    childElements.push(readChild.element)
    offset = readChild.endOffset
  }
}

function readLength(bytes: Buffer, offset: number): { length: number | null; contentOffset: number } | null {
  const firstByte = bytes[offset]
  if (firstByte === undefined) return null
  if (firstByte < 0x80) return { length: firstByte, contentOffset: offset + 1 }
  const lengthBytes = firstByte & 0x7f
  // 0x80: indefinite length, terminated by two zero bytes.
  if (lengthBytes === 0) return { length: null, contentOffset: offset + 1 }
  if (lengthBytes > 4 || offset + 1 + lengthBytes > bytes.length) return null
  return { length: bytes.readUIntBE(offset + 1, lengthBytes), contentOffset: offset + 1 + lengthBytes }
}

function readElement(bytes: Buffer, offset: number, depth: number): ReadResult | null {
  const elementTag = bytes[offset]
  if (elementTag === undefined || depth > maxDepth || (elementTag & 0x1f) === 0x1f) return null
  const lengthResult = readLength(bytes, offset + 1)
  if (!lengthResult) return null
  const { length, contentOffset } = lengthResult
  if (!isConstructed(elementTag)) {
    if (length === null || contentOffset + length > bytes.length) return null
    const endOffset = contentOffset + length
    const contentBytes = bytes.subarray(contentOffset, endOffset)
    return {
      element: { tag: elementTag, content: contentBytes, children: [], rawBytes: bytes.subarray(offset, endOffset) },
      endOffset,
    }
  }
  const knownEndOffset = length === null ? null : contentOffset + length
  if (knownEndOffset !== null && knownEndOffset > bytes.length) return null
  const childrenResult = readChildren(bytes, contentOffset, knownEndOffset, depth)
  if (!childrenResult) return null
  const [childElements, endOffset] = childrenResult
  const areOctetStrings = childElements.every((child) => child.tag === 0x04 || child.tag === 0x24)
  const joinedContent = areOctetStrings
    ? Buffer.concat(childElements.map((child) => child.content))
    : bytes.subarray(contentOffset, knownEndOffset ?? endOffset - 2)
  return {
    element: { tag: elementTag, content: joinedContent, children: childElements, rawBytes: bytes.subarray(offset, endOffset) },
    endOffset,
  }
}

/** Reads the element at the start of `bytes`; null if there is none. Never throws. */
export function readDer(bytes: Uint8Array): DerElement | null {
  return readElement(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, 0)?.element ?? null
}

/** Object identifier as dotted numbers; empty for other elements. */
export function readObjectId(element: DerElement | undefined): string {
  if (element?.tag !== 0x06 || element.content.length === 0) return ''
  const oidNumbers: number[] = []
  let currentNumber = 0
  for (const byte of element.content) {
    currentNumber = currentNumber * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      oidNumbers.push(currentNumber)
      currentNumber = 0
    }
  }
  const firstNumber = oidNumbers.shift() ?? 0
  const rootArc = Math.min(2, Math.floor(firstNumber / 40))
  return [rootArc, firstNumber - rootArc * 40, ...oidNumbers].join('.')
}

/** Integer of at most six bytes; NaN for other elements. */
export function readInteger(element: DerElement | undefined): number {
  if (element?.tag !== 0x02 || element.content.length === 0 || element.content.length > 6) return Number.NaN
  return element.content.readUIntBE(0, element.content.length)
}
