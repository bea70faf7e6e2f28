import type { PdfFile } from '../object/document.ts'
import { readCMap } from '../model/cmap.ts'
import type { CompositeFont, Glyph, SimpleFont } from '../model/font.ts'
import { isListedGlyph } from '../model/glyph-name.ts'
import type { PdfFacts, FontUse, Hit } from './hit.ts'

/** CMaps that need not be embedded (ISO 32000-1, table 118), by character collection. */
const predefinedCMaps: ReadonlyMap<string, string> = new Map(
  Object.entries({
    GB1: 'GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16',
    CNS1: 'B5pc HKscs-B5 ETen-B5 ETenms-B5 CNS-EUC UniCNS-UCS2 UniCNS-UTF16',
    Japan1: '83pv-RKSJ 90ms-RKSJ 90msp-RKSJ 90pv-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16',
    Korea1: 'KSC-EUC KSCms-UHC KSCms-UHC-HW KSCpc-EUC UniKS-UCS2 UniKS-UTF16',
  }),
)
const collectionsByCMap = new Map<string, string>([
  ['H', 'Japan1'],
  ['V', 'Japan1'],
])
for (const [ordering, cmapNames] of predefinedCMaps)
  for (const cmapName of cmapNames.split(' '))
    for (const writingMode of ['H', 'V']) collectionsByCMap.set(`${cmapName}-${writingMode}`, ordering)

const isIdentity = (name: string | null): boolean => name === 'Identity-H' || name === 'Identity-V'
const isPredefined = (name: string | null): boolean => isIdentity(name) || (name !== null && collectionsByCMap.has(name))

type CompositeFontTest = (font: CompositeFont, file: PdfFile) => boolean
const compositeTests: readonly { test: string; fails: CompositeFontTest }[] = [
  {
    test: '7.21.3.1-1',
    fails: ({ cmap, encodingName, systemInfo }) => {
      if (isIdentity(encodingName) && !cmap) return false
      if (!cmap) return collectionsByCMap.get(encodingName ?? '') !== systemInfo.ordering
      const cmapSystemInfo = cmap.systemInfo
      return (
        cmapSystemInfo.ordering === null ||
        cmapSystemInfo.ordering !== systemInfo.ordering ||
        cmapSystemInfo.registry !== systemInfo.registry ||
        cmapSystemInfo.supplement === null ||
        (systemInfo.supplement ?? Infinity) > cmapSystemInfo.supplement
      )
    },
  },
  {
    test: '7.21.3.2-1',
    fails: ({ subtype, hasProgram, cidToGid }) => subtype === 'CIDFontType2' && hasProgram && cidToGid === 'none',
  },
  { test: '7.21.3.3-1', fails: ({ cmap, cmapDict, encodingName }) => !cmap && !cmapDict && !isPredefined(encodingName) },
  {
    test: '7.21.3.3-2',
    fails: ({ cmap, cmapDict }, file) =>
      cmap !== null && (cmap.wMode ?? 0) !== (file.number(cmapDict?.entries.get('WMode')) ?? 0),
  },
  {
    test: '7.21.3.3-3',
    fails: ({ cmap, cmapDict }, file) => {
      const usedCMap = file.resolve(cmapDict?.entries.get('UseCMap'))
      const usedStream = file.stream(usedCMap)
      const usedBytes = usedStream && file.unpack(usedStream)
      const usedName = usedBytes ? readCMap(usedBytes).name : file.name(usedCMap)
      return [usedName, cmap?.usesName ?? null].some((cmapNameValue) => cmapNameValue !== null && !isPredefined(cmapNameValue))
    },
  },
]

const isSubset = (name: string): boolean => /^[A-Z]{6}\+/.test(name)

function hasWrongCharSet({ descriptor, program }: SimpleFont, file: PdfFile): boolean {
  const listedCharSet = file.string(descriptor?.entries.get('CharSet'))
  if (listedCharSet === null || !program || program.kind === 'truetype') return false
  const listedNames = new Set(listedCharSet.split('/').filter((name) => name !== ''))
  const programNames = new Set(program.kind === 'type1' ? program.font.names : program.font.names)
  programNames.delete('.notdef')
  listedNames.delete('.notdef')
  return listedNames.size !== programNames.size || [...programNames].some((name) => !listedNames.has(name))
}

function hasWrongCidSet({ descriptor, program, cidToGid }: CompositeFont, file: PdfFile): boolean {
  const cidSetStream = file.stream(descriptor?.entries.get('CIDSet'))
  const cidSetBits = cidSetStream && file.unpack(cidSetStream)
  if (!cidSetBits || !program || program.kind === 'type1') return false
  const hasCid = (cid: number): boolean => ((cidSetBits[cid >> 3] ?? 0) & (128 >> (cid & 7))) !== 0
  if (program.kind === 'cff') {
    // CID 0 is the glyph for missing characters, and need not be listed.
    for (const cid of program.font.listCids()) if (cid > 0 && !hasCid(cid)) return true
    return false
  }
  if (typeof cidToGid === 'string') {
    for (let glyphIndex = 1; glyphIndex < program.font.glyphCount; glyphIndex++) if (!hasCid(glyphIndex)) return true
    return false
  }
  for (let cid = 1; 2 * cid + 1 < cidToGid.length; cid++)
    if (cidToGid[2 * cid]! + cidToGid[2 * cid + 1]! > 0 && !hasCid(cid)) return true
  return false
}

type SimpleFontTest = (font: SimpleFont, file: PdfFile) => boolean
const getGlyphMaps = ({ program }: SimpleFont) => (program?.kind === 'truetype' ? program.font.maps : null)
const hasSymbolMap = (font: SimpleFont): boolean =>
  getGlyphMaps(font)?.some((glyphMap) => glyphMap.platform === 3 && glyphMap.encoding === 0) ?? false
const hasUnicodeMap = (font: SimpleFont): boolean =>
  getGlyphMaps(font)?.some((glyphMap) => glyphMap.platform === 3 && glyphMap.encoding === 1) ?? false

const trueTypeTests: readonly { test: string; fails: SimpleFontTest }[] = [
  {
    test: '7.21.6-1',
    fails: (font) => {
      const glyphMaps = getGlyphMaps(font)
      return glyphMaps !== null && !font.isSymbolic && glyphMaps.length < (hasSymbolMap(font) ? 2 : 1)
    },
  },
  {
    test: '7.21.6-2',
    fails: (font) =>
      !font.isSymbolic &&
      (!['MacRomanEncoding', 'WinAnsiEncoding'].includes(font.encodingName ?? '') ||
        (font.differences.size > 0 &&
          (![...font.differences.values()].every((name) => name === '.notdef' || isListedGlyph(name)) ||
            !font.hasProgram ||
            (getGlyphMaps(font) !== null && !hasUnicodeMap(font))))),
  },
  { test: '7.21.6-3', fails: (font) => font.isSymbolic && font.hasEncoding },
  {
    test: '7.21.6-4',
    fails: (font) => {
      const glyphMaps = getGlyphMaps(font)
      return glyphMaps !== null && font.isSymbolic && glyphMaps.length !== 1 && !hasSymbolMap(font)
    },
  },
]

const glyphTests: readonly { test: string; onlyVisible: boolean; fails: (glyph: Glyph) => boolean }[] = [
  { test: '7.21.4.1-2', onlyVisible: true, fails: (glyph) => glyph.isPresent === false },
  {
    test: '7.21.5-1',
    onlyVisible: true,
    fails: (glyph) => glyph.width !== null && glyph.programWidth !== null && Math.abs(glyph.width - glyph.programWidth) > 1,
  },
  { test: '7.21.7-1', onlyVisible: false, fails: (glyph) => !glyph.isMapped },
  { test: '7.21.7-2', onlyVisible: false, fails: (glyph) => glyph.text !== null && /[\0\uFEFF\uFFFE]/.test(glyph.text) },
  { test: '7.21.8-1', onlyVisible: false, fails: (glyph) => glyph.isNotdef },
]

function* listFontFaults(fontUse: FontUse, file: PdfFile): Generator<string> {
  const { font } = fontUse
  if (font.kind === 'composite') {
    for (const { test, fails } of compositeTests) if (fails(font, file)) yield test
    if (font.hasProgram && isSubset(font.name) && hasWrongCidSet(font, file)) yield '7.21.4.2-2'
  } else {
    if (font.subtype === 'TrueType') for (const { test, fails } of trueTypeTests) if (fails(font, file)) yield test
    if (font.subtype !== 'TrueType' && font.hasProgram && isSubset(font.name) && hasWrongCharSet(font, file)) yield '7.21.4.2-1'
  }
  const needsProgram = font.kind === 'composite' || font.subtype !== 'Type3'
  if (needsProgram && fontUse.isVisible && !font.hasProgram) yield '7.21.4.1-1'
}

/** Checks the used fonts and their shown glyphs. */
export function* checkFonts({ fonts, file }: PdfFacts): Generator<Hit> {
  for (const fontUse of fonts) {
    const { page, rect } = fontUse
    for (const test of listFontFaults(fontUse, file)) yield { test, page, rect, text: fontUse.font.name }
    // One hit per font and test: a thousand glyphs of one broken font need a single fix.
    for (const { test, onlyVisible, fails } of glyphTests) {
      const firstGlyphUse = [...fontUse.glyphs.values()].find(
        (glyphUse) => (glyphUse.isVisible || !onlyVisible) && fails(glyphUse.glyph),
      )
      if (firstGlyphUse)
        yield {
          test,
          page: firstGlyphUse.page,
          rect: firstGlyphUse.rect,
          element: firstGlyphUse.element,
          text: fontUse.font.name,
        }
    }
  }
}
