import type { PdfFile } from '../object/document.ts'
import { readCMap } from '../model/cmap.ts'
import type { CompositeFont, Glyph, SimpleFont } from '../model/font.ts'
import { isListedGlyph } from '../model/glyph-name.ts'
import type { Facts, FontUse, Hit } from './hit.ts'

/** The CMaps that need not be embedded (ISO 32000-1, table 118), by the collection that they belong to. */
const predefined: Readonly<Record<string, string>> = {
  GB1: 'GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16',
  CNS1: 'B5pc HKscs-B5 ETen-B5 ETenms-B5 CNS-EUC UniCNS-UCS2 UniCNS-UTF16',
  Japan1:
    '83pv-RKSJ 90ms-RKSJ 90msp-RKSJ 90pv-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16',
  Korea1: 'KSC-EUC KSCms-UHC KSCms-UHC-HW KSCpc-EUC UniKS-UCS2 UniKS-UTF16',
}
const collections = new Map<string, string>([
  ['H', 'Japan1'],
  ['V', 'Japan1'],
])
for (const [ordering, names] of Object.entries(predefined))
  for (const name of names.split(' '))
    for (const way of ['H', 'V']) collections.set(`${name}-${way}`, ordering)

const isIdentity = (name: string | null): boolean => name === 'Identity-H' || name === 'Identity-V'
const isPredefined = (name: string | null): boolean =>
  isIdentity(name) || (name !== null && collections.has(name))

type Composite = (font: CompositeFont, file: PdfFile) => boolean
const compositeTests: readonly { test: string; fails: Composite }[] = [
  {
    test: '7.21.3.1-1',
    fails: ({ cmap, encodingName, systemInfo }) => {
      if (isIdentity(encodingName) && !cmap) return false
      if (!cmap) return collections.get(encodingName ?? '') !== systemInfo.ordering
      const own = cmap.systemInfo
      return (
        own.ordering === null ||
        own.ordering !== systemInfo.ordering ||
        own.registry !== systemInfo.registry ||
        own.supplement === null ||
        (systemInfo.supplement ?? Infinity) > own.supplement
      )
    },
  },
  {
    test: '7.21.3.2-1',
    fails: ({ subtype, hasProgram, cidToGid }) =>
      subtype === 'CIDFontType2' && hasProgram && cidToGid === 'none',
  },
  {
    test: '7.21.3.3-1',
    fails: ({ cmap, cmapDict, encodingName }) => !cmap && !cmapDict && !isPredefined(encodingName),
  },
  {
    test: '7.21.3.3-2',
    fails: ({ cmap, cmapDict }, file) =>
      cmap !== null && (cmap.wMode ?? 0) !== (file.number(cmapDict?.entries.get('WMode')) ?? 0),
  },
  {
    test: '7.21.3.3-3',
    fails: ({ cmap, cmapDict }, file) => {
      const used = file.resolve(cmapDict?.entries.get('UseCMap'))
      const stream = file.stream(used)
      const bytes = stream && file.unpack(stream)
      const name = bytes ? readCMap(bytes).name : file.name(used)
      return [name, cmap?.usesName ?? null].some((n) => n !== null && !isPredefined(n))
    },
  },
]

const isSubset = (name: string): boolean => /^[A-Z]{6}\+/.test(name)

function charSetDiffers({ descriptor, program }: SimpleFont, file: PdfFile): boolean {
  const listed = file.string(descriptor?.entries.get('CharSet'))
  if (listed === null || !program || program.kind === 'truetype') return false
  const names = new Set(listed.split('/').filter((name) => name !== ''))
  const own = new Set(program.kind === 'type1' ? program.font.names : program.font.names)
  own.delete('.notdef')
  names.delete('.notdef')
  return names.size !== own.size || [...own].some((name) => !names.has(name))
}

function cidSetDiffers({ descriptor, program, cidToGid }: CompositeFont, file: PdfFile): boolean {
  const stream = file.stream(descriptor?.entries.get('CIDSet'))
  const bits = stream && file.unpack(stream)
  if (!bits || !program || program.kind === 'type1') return false
  const has = (cid: number): boolean => ((bits[cid >> 3] ?? 0) & (128 >> (cid & 7))) !== 0
  if (program.kind === 'cff') {
    // CID 0 is the glyph for what is missing, and need not be listed.
    for (const cid of program.font.cids()) if (cid > 0 && !has(cid)) return true
    return false
  }
  if (typeof cidToGid === 'string') {
    for (let glyph = 1; glyph < program.font.glyphs; glyph++) if (!has(glyph)) return true
    return false
  }
  for (let cid = 1; 2 * cid + 1 < cidToGid.length; cid++)
    if (cidToGid[2 * cid]! + cidToGid[2 * cid + 1]! > 0 && !has(cid)) return true
  return false
}

type Simple = (font: SimpleFont, file: PdfFile) => boolean
const mapsOf = ({ program }: SimpleFont) => (program?.kind === 'truetype' ? program.font.maps : null)
const hasSymbolMap = (font: SimpleFont): boolean =>
  mapsOf(font)?.some((m) => m.platform === 3 && m.encoding === 0) ?? false
const hasUnicodeMap = (font: SimpleFont): boolean =>
  mapsOf(font)?.some((m) => m.platform === 3 && m.encoding === 1) ?? false

const trueTypeTests: readonly { test: string; fails: Simple }[] = [
  {
    test: '7.21.6-1',
    fails: (font) => {
      const maps = mapsOf(font)
      return maps !== null && !font.isSymbolic && maps.length < (hasSymbolMap(font) ? 2 : 1)
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
            (mapsOf(font) !== null && !hasUnicodeMap(font))))),
  },
  { test: '7.21.6-3', fails: (font) => font.isSymbolic && font.hasEncoding },
  {
    test: '7.21.6-4',
    fails: (font) => {
      const maps = mapsOf(font)
      return maps !== null && font.isSymbolic && maps.length !== 1 && !hasSymbolMap(font)
    },
  },
]

const glyphTests: readonly { test: string; onlyVisible: boolean; fails: (glyph: Glyph) => boolean }[] = [
  { test: '7.21.4.1-2', onlyVisible: true, fails: (g) => g.isPresent === false },
  {
    test: '7.21.5-1',
    onlyVisible: true,
    fails: (g) => g.width !== null && g.programWidth !== null && Math.abs(g.width - g.programWidth) > 1,
  },
  { test: '7.21.7-1', onlyVisible: false, fails: (g) => !g.isMapped },
  { test: '7.21.7-2', onlyVisible: false, fails: (g) => g.text !== null && /[\0\uFEFF\uFFFE]/.test(g.text) },
  { test: '7.21.8-1', onlyVisible: false, fails: (g) => g.isNotdef },
]

function* fontHits(use: FontUse, file: PdfFile): Generator<string> {
  const { font } = use
  if (font.kind === 'composite') {
    for (const { test, fails } of compositeTests) if (fails(font, file)) yield test
    if (font.hasProgram && isSubset(font.name) && cidSetDiffers(font, file)) yield '7.21.4.2-2'
  } else {
    if (font.subtype === 'TrueType')
      for (const { test, fails } of trueTypeTests) if (fails(font, file)) yield test
    if (font.subtype !== 'TrueType' && font.hasProgram && isSubset(font.name) && charSetDiffers(font, file))
      yield '7.21.4.2-1'
  }
  const needsProgram = font.kind === 'composite' || font.subtype !== 'Type3'
  if (needsProgram && use.isVisible && !font.hasProgram) yield '7.21.4.1-1'
}

/** What is wrong with the fonts that are used, and with the glyphs that are shown in them. */
export function* checkFonts({ fonts, file }: Facts): Generator<Hit> {
  for (const use of fonts) {
    const { page, rect } = use
    for (const test of fontHits(use, file)) yield { test, page, rect, text: use.font.name }
    // One hit a font and test: a thousand glyphs of one broken font are one thing to fix.
    for (const { test, onlyVisible, fails } of glyphTests) {
      const first = [...use.glyphs.values()].find((g) => (g.isVisible || !onlyVisible) && fails(g.glyph))
      if (first)
        yield { test, page: first.page, rect: first.rect, element: first.element, text: use.font.name }
    }
  }
}
