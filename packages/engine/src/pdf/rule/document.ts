import { isArray, isDict, isStream, type PdfDict, type PdfStream, type PdfValue } from '../object/value.ts'
import { decodeText } from '../model/text-string.ts'
import { readXmp } from '../model/xmp.ts'
import type { PdfFacts, Hit } from './hit.ts'

type DocumentTest = { test: string; fails: (facts: PdfFacts) => boolean | string }

const getIdentification = ({ xmp }: PdfFacts) => xmp?.uaIdentification ?? {}
const isIdentified = (facts: PdfFacts): boolean => Object.keys(getIdentification(facts)).length > 0
const hasWrongPrefix = (key: 'part' | 'amd' | 'corr') => (facts: PdfFacts) => {
  const uaProperty = getIdentification(facts)[key]
  return uaProperty !== undefined && uaProperty.prefix !== 'pdfuaid'
}
const getViewerPreference = ({ file }: PdfFacts, key: string): PdfValue =>
  file.resolve(file.dict(file.catalog.entries.get('ViewerPreferences'))?.entries.get(key))
const getMarkInfo = ({ file }: PdfFacts, key: string): PdfValue =>
  file.resolve(file.dict(file.catalog.entries.get('MarkInfo'))?.entries.get(key))

/** Returns true for a syntactically valid language tag, as checked by the profile. */
export const isLanguageTag = (languageTag: string): boolean => /^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$/.test(languageTag)

const hasDynamicXfa = ({ file }: PdfFacts): boolean => {
  const xfaValue = file.resolve(file.dict(file.catalog.entries.get('AcroForm'))?.entries.get('XFA'))
  const xfaParts = isArray(xfaValue) ? xfaValue.items : [xfaValue]
  return xfaParts.some((xfaPart) => {
    const xfaStream = file.stream(xfaPart)
    const xfaBytes = xfaStream && file.unpack(xfaStream)
    return xfaBytes !== null && /<dynamicRender\s*>\s*required\s*</.test(Buffer.from(xfaBytes).toString('latin1'))
  })
}

/** Tests of the document as a whole, with at most one hit each. */
const documentTests: readonly DocumentTest[] = [
  { test: '5-1', fails: (facts) => facts.xmp !== null && !isIdentified(facts) },
  { test: '5-2', fails: (facts) => isIdentified(facts) && Number(getIdentification(facts).part?.value ?? Number.NaN) !== 1 },
  { test: '5-3', fails: hasWrongPrefix('part') },
  { test: '5-4', fails: hasWrongPrefix('amd') },
  { test: '5-5', fails: hasWrongPrefix('corr') },
  { test: '6.1-1', fails: (facts) => !/^%PDF-1\.[0-7]$/.test(facts.file.header) && facts.file.header },
  { test: '6.2-1', fails: (facts) => getMarkInfo(facts, 'Marked') !== true },
  { test: '7.1-4', fails: (facts) => getMarkInfo(facts, 'Suspects') === true },
  { test: '7.1-8', fails: ({ file }) => file.stream(file.catalog.entries.get('Metadata')) === null },
  { test: '7.1-9', fails: (facts) => facts.xmp !== null && facts.xmp.title === null },
  { test: '7.1-10', fails: (facts) => getViewerPreference(facts, 'DisplayDocTitle') !== true },
  { test: '7.1-11', fails: (facts) => facts.structure === null },
  { test: '7.15-1', fails: hasDynamicXfa },
  {
    test: '7.16-1',
    fails: ({ file }) => {
      if (!file.encrypt) return false
      const permissionBits = file.number(file.encrypt.entries.get('P'))
      return permissionBits === null || (permissionBits & 512) === 0
    },
  },
  {
    test: '7.2-2',
    fails: (facts) =>
      !facts.hasCatalogLanguage &&
      facts.file.dict(facts.file.dict(facts.file.catalog.entries.get('Outlines'))?.entries.get('First')) !== null,
  },
  {
    test: '7.2-29',
    fails: (facts) => facts.catalogLanguage !== null && !isLanguageTag(facts.catalogLanguage) && facts.catalogLanguage,
  },
]

function* checkLayers({ file }: PdfFacts): Generator<Hit> {
  const layerProperties = file.dict(file.catalog.entries.get('OCProperties'))
  if (!layerProperties) return
  const layerConfigs = [layerProperties.entries.get('D'), ...file.array(layerProperties.entries.get('Configs'))]
  for (const value of layerConfigs) {
    const layerConfig = file.dict(value)
    if (!layerConfig) continue
    const configName = file.string(layerConfig.entries.get('Name'))
    if (!configName) yield { test: '7.10-1' }
    if (layerConfig.entries.has('AS')) yield { test: '7.10-2', text: configName === null ? null : decodeText(configName) }
  }
}

const maxDicts = 500_000

/** Iterates over all dictionaries of the file, including direct ones. */
function* listDicts({ file }: PdfFacts): Generator<{ dict: PdfDict; isStream: boolean }> {
  let visitedCount = 0
  for (const objectNumber of file.numbers()) {
    const pendingValues: PdfValue[] = [file.resolve({ kind: 'ref', num: objectNumber, gen: 0 })]
    while (pendingValues.length > 0) {
      if (++visitedCount > maxDicts) return
      const pendingValue = pendingValues.pop()!
      const valueDict = isStream(pendingValue) ? pendingValue.dict : isDict(pendingValue) ? pendingValue : null
      if (valueDict) {
        yield { dict: valueDict, isStream: isStream(pendingValue) }
        for (const innerValue of valueDict.entries.values())
          if (isDict(innerValue) || isArray(innerValue)) pendingValues.push(innerValue)
      } else if (isArray(pendingValue))
        for (const innerValue of pendingValue.items) if (isDict(innerValue) || isArray(innerValue)) pendingValues.push(innerValue)
    }
  }
}

const maxMetadataStreams = 500
const maxMetadataBytes = 2 ** 20
/** Total limit for unpacked metadata: pages need the rest of the file's budget. */
const maxUnpackedBytes = 2 ** 24

/** Returns true if metadata of the document or of a page, image, font or other object have no known language. */
function hasMetadataWithoutLanguage(facts: PdfFacts): boolean {
  const { file, xmp } = facts
  if (facts.hasCatalogLanguage) return false
  if (xmp?.defaultLanguageOnly === true) return true
  const visitedStreams = new Set<PdfStream>()
  let unpackedBytes = 0
  for (const { dict } of listDicts(facts)) {
    const metadataStream = dict === file.catalog ? null : file.stream(dict.entries.get('Metadata'))
    if (!metadataStream || visitedStreams.has(metadataStream) || metadataStream.encoded.length > maxMetadataBytes) continue
    if (visitedStreams.size >= maxMetadataStreams || unpackedBytes > maxUnpackedBytes) return false
    visitedStreams.add(metadataStream)
    const metadataBytes = file.unpack(metadataStream)
    unpackedBytes += metadataBytes?.length ?? 0
    if (metadataBytes && readXmp(metadataBytes).defaultLanguageOnly) return true
  }
  return false
}

function* checkObjects(facts: PdfFacts): Generator<Hit> {
  const { file } = facts
  for (const { dict, isStream: isStreamDict } of listDicts(facts)) {
    const { entries } = dict
    if (!isStreamDict && file.dict(entries.get('EF'))) {
      const hasFileNames = file.string(entries.get('F')) && file.string(entries.get('UF'))
      if (!hasFileNames) yield { test: '7.11-1', text: file.string(entries.get('F')) }
    }
    if (file.name(entries.get('S')) === 'MCD' && (entries.has('D') || file.name(entries.get('Type')) === 'MediaClip')) {
      if (file.string(entries.get('CT')) === null) yield { test: '7.18.6.2-1' }
      const altItems = file.array(entries.get('Alt'))
      if (
        altItems.length < 2 ||
        altItems.length % 2 === 1 ||
        altItems.some((a, i) => (i % 2 === 1 ? !file.string(a) : file.string(a) === null))
      )
        yield { test: '7.18.6.2-2' }
    }
    if (isStreamDict && file.name(entries.get('Subtype')) === 'Form' && entries.has('Ref')) yield { test: '7.20-1' }
  }
}

/** Checks the document as a whole, and parts that are not on a page. */
export function* checkDocument(facts: PdfFacts): Generator<Hit> {
  for (const { test, fails } of documentTests) {
    const failedDetail = fails(facts)
    if (failedDetail !== false) yield { test, text: typeof failedDetail === 'string' ? failedDetail : null }
  }
  if (hasMetadataWithoutLanguage(facts)) yield { test: '7.2-33' }
  yield* checkLayers(facts)
  yield* checkObjects(facts)
}
