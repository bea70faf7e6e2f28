import { openLexer } from '../object/lexer.ts'
import { isArray, isName, isString, type PdfValue } from '../object/value.ts'

/** An embedded character map: codes to CIDs, or codes to text. */
export type CMap = {
  wMode: number | null
  name: string | null
  usesName: string | null
  systemInfo: { registry: string | null; ordering: string | null; supplement: number | null }
  /** Code ranges with their numbers of bytes. */
  spaces: { bytes: number; low: number; high: number }[]
  cids: { low: number; high: number; cid: number; bytes: number }[]
  texts: Map<number, string>
  textRanges: { low: number; high: number; text: string }[]
}

const toNumber = (raw: string): number => {
  let codeValue = 0
  for (let i = 0; i < raw.length && i < 4; i++) codeValue = codeValue * 256 + raw.charCodeAt(i)
  return codeValue
}
const decodeUtf16 = (raw: string): string => {
  const textBytes = Buffer.from(raw.length % 2 ? `\0${raw}` : raw, 'latin1')
  return textBytes.swap16().toString('utf16le')
}
/** The text at an offset from the start of a range: the last code unit is incremented. */
const incrementText = (text: string, offset: number): string =>
  offset === 0 || text === ''
    ? text
    : text.slice(0, -1) + String.fromCharCode((text.charCodeAt(text.length - 1) + offset) & 0xffff)

const maxEntries = 200_000

type SectionReader = (cmap: CMap, values: PdfValue[]) => void

const readCodeSpaces: SectionReader = (cmap, values) => {
  for (let i = 0; i + 1 < values.length; i += 2) {
    const [lowCode, highCode] = [values[i], values[i + 1]]
    if (isString(lowCode) && isString(highCode))
      cmap.spaces.push({ bytes: lowCode.raw.length, low: toNumber(lowCode.raw), high: toNumber(highCode.raw) })
  }
}
const readCidRanges: SectionReader = (cmap, values) => {
  for (let i = 0; i + 2 < values.length; i += 3) {
    const [lowCode, highCode, cid] = [values[i], values[i + 1], values[i + 2]]
    if (isString(lowCode) && isString(highCode) && typeof cid === 'number')
      cmap.cids.push({ low: toNumber(lowCode.raw), high: toNumber(highCode.raw), cid, bytes: lowCode.raw.length })
  }
}
const readCidChars: SectionReader = (cmap, values) => {
  for (let i = 0; i + 1 < values.length; i += 2) {
    const [codeString, cid] = [values[i], values[i + 1]]
    if (isString(codeString) && typeof cid === 'number')
      cmap.cids.push({ low: toNumber(codeString.raw), high: toNumber(codeString.raw), cid, bytes: codeString.raw.length })
  }
}
const readTextChars: SectionReader = (cmap, values) => {
  for (let i = 0; i + 1 < values.length; i += 2) {
    const [codeString, textString] = [values[i], values[i + 1]]
    if (isString(codeString) && isString(textString)) cmap.texts.set(toNumber(codeString.raw), decodeUtf16(textString.raw))
  }
}
const readTextRanges: SectionReader = (cmap, values) => {
  for (let i = 0; i + 2 < values.length; i += 3) {
    const [lowCode, highCode, target] = [values[i], values[i + 1], values[i + 2]]
    if (!isString(lowCode) || !isString(highCode)) continue
    const firstCode = toNumber(lowCode.raw)
    if (isString(target)) cmap.textRanges.push({ low: firstCode, high: toNumber(highCode.raw), text: decodeUtf16(target.raw) })
    if (isArray(target))
      for (const [itemIndex, item] of target.items.entries())
        if (isString(item)) cmap.texts.set(firstCode + itemIndex, decodeUtf16(item.raw))
  }
}
const sectionReaders: ReadonlyMap<string, SectionReader> = new Map(
  Object.entries({
    endcodespacerange: readCodeSpaces,
    endcidrange: readCidRanges,
    endcidchar: readCidChars,
    endbfchar: readTextChars,
    endbfrange: readTextRanges,
  }),
)

type DefinitionReader = (cmap: CMap, value: PdfValue | undefined) => void
const definitionReaders: ReadonlyMap<string, DefinitionReader> = new Map(
  Object.entries({
    WMode: (cmap, value) => void (cmap.wMode = typeof value === 'number' ? value : cmap.wMode),
    CMapName: (cmap, value) => void (cmap.name = isName(value) ? value.name : cmap.name),
    Registry: (cmap, value) => void (cmap.systemInfo.registry ??= isString(value) ? value.raw : null),
    Ordering: (cmap, value) => void (cmap.systemInfo.ordering ??= isString(value) ? value.raw : null),
    Supplement: (cmap, value) => void (cmap.systemInfo.supplement ??= typeof value === 'number' ? value : null),
  }),
)

/** Parses a CMap stream. Skips unknown content. */
export function readCMap(bytes: Uint8Array): CMap {
  const parsedCMap: CMap = {
    wMode: null,
    name: null,
    usesName: null,
    systemInfo: { registry: null, ordering: null, supplement: null },
    spaces: [],
    cids: [],
    texts: new Map(),
    textRanges: [],
  }
  const cmapLexer = openLexer(bytes)
  let operands: PdfValue[] = []
  for (let tokenCount = 0; tokenCount < maxEntries * 3; tokenCount++) {
    const token = cmapLexer.next()
    if (token === undefined) break
    if (typeof token !== 'object' || token === null || token.kind !== 'word') {
      const definitionKey = operands.at(-1)
      // `/Registry (Adobe) def` as well as `<< /Registry (Adobe) >>`.
      if (isName(definitionKey)) definitionReaders.get(definitionKey.name)?.(parsedCMap, token)
      if (typeof token === 'object' && token?.kind === 'dict')
        for (const [name, entryValue] of token.entries) definitionReaders.get(name)?.(parsedCMap, entryValue)
      operands.push(token)
      continue
    }
    sectionReaders.get(token.word)?.(parsedCMap, operands)
    const lastOperand = operands.at(-1)
    if (token.word === 'usecmap' && isName(lastOperand)) parsedCMap.usesName = lastOperand.name
    operands = []
  }
  parsedCMap.textRanges.sort((first, second) => first.low - second.low)
  return parsedCMap
}

/** Splits a string into codes by the CMap's code ranges; two-byte codes if it has none. */
export function splitCodes(cmap: CMap | null, raw: string): { code: number; bytes: number }[] {
  const splitResult: { code: number; bytes: number }[] = []
  const codeSpaces = cmap && cmap.spaces.length > 0 ? cmap.spaces : [{ bytes: 2, low: 0, high: 0xffff }]
  let i = 0
  while (i < raw.length) {
    let codeValue = 0
    let codeBytes = 0
    for (let byteCount = 1; byteCount <= 4 && i + byteCount <= raw.length; byteCount++) {
      codeValue = codeValue * 256 + raw.charCodeAt(i + byteCount - 1)
      if (codeSpaces.some((space) => space.bytes === byteCount && isInSpace(space, codeValue))) {
        codeBytes = byteCount
        break
      }
    }
    if (codeBytes === 0) {
      codeBytes = Math.min(raw.length - i, codeSpaces[0]!.bytes)
      codeValue = toNumber(raw.slice(i, i + codeBytes))
    }
    splitResult.push({ code: codeValue, bytes: codeBytes })
    i += codeBytes
  }
  return splitResult
}

/** Returns true if each byte of a code is in the range of that byte. */
function isInSpace(space: { bytes: number; low: number; high: number }, code: number): boolean {
  for (let i = 0; i < space.bytes; i++) {
    const byteShift = 256 ** i
    const codeByte = Math.floor(code / byteShift) % 256
    if (codeByte < Math.floor(space.low / byteShift) % 256 || codeByte > Math.floor(space.high / byteShift) % 256) return false
  }
  return true
}

export const findCid = (cmap: CMap, code: number, bytes: number): number | null => {
  for (const cidRange of cmap.cids)
    if (cidRange.bytes === bytes && code >= cidRange.low && code <= cidRange.high) return cidRange.cid + code - cidRange.low
  return null
}

export function findCodeText(cmap: CMap, code: number): string | null {
  const singleText = cmap.texts.get(code)
  if (singleText !== undefined) return singleText
  for (const textRange of cmap.textRanges) {
    if (textRange.low > code) break
    if (code <= textRange.high) return incrementText(textRange.text, code - textRange.low)
  }
  return null
}
