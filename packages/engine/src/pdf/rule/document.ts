import { isArray, isDict, isStream, type PdfDict, type PdfStream, type PdfValue } from '../object/value.ts'
import { decodeText } from '../model/text-string.ts'
import { readXmp } from '../model/xmp.ts'
import type { Facts, Hit } from './hit.ts'

type Test = { test: string; fails: (facts: Facts) => boolean | string }

const identification = ({ xmp }: Facts) => xmp?.uaIdentification ?? {}
const isIdentified = (facts: Facts): boolean => Object.keys(identification(facts)).length > 0
const wrongPrefix = (key: 'part' | 'amd' | 'corr') => (facts: Facts) => {
  const property = identification(facts)[key]
  return property !== undefined && property.prefix !== 'pdfuaid'
}
const viewer = ({ file }: Facts, key: string): PdfValue =>
  file.resolve(file.dict(file.catalog.entries.get('ViewerPreferences'))?.entries.get(key))
const markInfo = ({ file }: Facts, key: string): PdfValue =>
  file.resolve(file.dict(file.catalog.entries.get('MarkInfo'))?.entries.get(key))

/** A language tag as far as the profile looks at it. */
export const isLanguageTag = (lang: string): boolean => /^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$/.test(lang)

const dynamicXfa = ({ file }: Facts): boolean => {
  const xfa = file.resolve(file.dict(file.catalog.entries.get('AcroForm'))?.entries.get('XFA'))
  const parts = isArray(xfa) ? xfa.items : [xfa]
  return parts.some((part) => {
    const stream = file.stream(part)
    const bytes = stream && file.unpack(stream)
    return bytes !== null && /<dynamicRender\s*>\s*required\s*</.test(Buffer.from(bytes).toString('latin1'))
  })
}

/** Tests of the document as a whole, each met once. */
const documentTests: readonly Test[] = [
  { test: '5-1', fails: (f) => f.xmp !== null && !isIdentified(f) },
  { test: '5-2', fails: (f) => isIdentified(f) && Number(identification(f).part?.value ?? Number.NaN) !== 1 },
  { test: '5-3', fails: wrongPrefix('part') },
  { test: '5-4', fails: wrongPrefix('amd') },
  { test: '5-5', fails: wrongPrefix('corr') },
  { test: '6.1-1', fails: (f) => !/^%PDF-1\.[0-7]$/.test(f.file.header) && f.file.header },
  { test: '6.2-1', fails: (f) => markInfo(f, 'Marked') !== true },
  { test: '7.1-4', fails: (f) => markInfo(f, 'Suspects') === true },
  { test: '7.1-8', fails: ({ file }) => file.stream(file.catalog.entries.get('Metadata')) === null },
  { test: '7.1-9', fails: (f) => f.xmp !== null && f.xmp.title === null },
  { test: '7.1-10', fails: (f) => viewer(f, 'DisplayDocTitle') !== true },
  { test: '7.1-11', fails: (f) => f.structure === null },
  { test: '7.15-1', fails: dynamicXfa },
  {
    test: '7.16-1',
    fails: ({ file }) => {
      if (!file.encrypt) return false
      const permissions = file.number(file.encrypt.entries.get('P'))
      return permissions === null || (permissions & 512) === 0
    },
  },
  {
    test: '7.2-2',
    fails: (f) =>
      !f.hasCatalogLanguage &&
      f.file.dict(f.file.dict(f.file.catalog.entries.get('Outlines'))?.entries.get('First')) !== null,
  },
  {
    test: '7.2-29',
    fails: (f) => f.catalogLanguage !== null && !isLanguageTag(f.catalogLanguage) && f.catalogLanguage,
  },
]

function* layers({ file }: Facts): Generator<Hit> {
  const properties = file.dict(file.catalog.entries.get('OCProperties'))
  if (!properties) return
  const configs = [properties.entries.get('D'), ...file.array(properties.entries.get('Configs'))]
  for (const value of configs) {
    const config = file.dict(value)
    if (!config) continue
    const name = file.string(config.entries.get('Name'))
    if (!name) yield { test: '7.10-1' }
    if (config.entries.has('AS')) yield { test: '7.10-2', text: name === null ? null : decodeText(name) }
  }
}

const mostDicts = 500_000

/** Every dictionary of the file, direct ones included. */
function* allDicts({ file }: Facts): Generator<{ dict: PdfDict; isStream: boolean }> {
  let count = 0
  for (const num of file.numbers()) {
    const stack: PdfValue[] = [file.resolve({ kind: 'ref', num, gen: 0 })]
    while (stack.length > 0) {
      if (++count > mostDicts) return
      const value = stack.pop()!
      const dict = isStream(value) ? value.dict : isDict(value) ? value : null
      if (dict) {
        yield { dict, isStream: isStream(value) }
        for (const inner of dict.entries.values()) if (isDict(inner) || isArray(inner)) stack.push(inner)
      } else if (isArray(value))
        for (const inner of value.items) if (isDict(inner) || isArray(inner)) stack.push(inner)
    }
  }
}

const mostMetadata = 500
const mostMetadataBytes = 2 ** 20
/** What all of them may unpack to: pages need what the file has left. */
const mostUnpackedBytes = 2 ** 24

/** Whether metadata of the document, or of a page, picture, font or whatever it has, are in no language that is known. */
function hasMetadataWithoutLanguage(facts: Facts): boolean {
  const { file, xmp } = facts
  if (facts.hasCatalogLanguage) return false
  if (xmp?.defaultLanguageOnly === true) return true
  const seen = new Set<PdfStream>()
  let unpacked = 0
  for (const { dict } of allDicts(facts)) {
    const stream = dict === file.catalog ? null : file.stream(dict.entries.get('Metadata'))
    if (!stream || seen.has(stream) || stream.encoded.length > mostMetadataBytes) continue
    if (seen.size >= mostMetadata || unpacked > mostUnpackedBytes) return false
    seen.add(stream)
    const bytes = file.unpack(stream)
    unpacked += bytes?.length ?? 0
    if (bytes && readXmp(bytes).defaultLanguageOnly) return true
  }
  return false
}

function* objects(facts: Facts): Generator<Hit> {
  const { file } = facts
  for (const { dict, isStream: hasBytes } of allDicts(facts)) {
    const { entries } = dict
    if (!hasBytes && file.dict(entries.get('EF'))) {
      const named = file.string(entries.get('F')) && file.string(entries.get('UF'))
      if (!named) yield { test: '7.11-1', text: file.string(entries.get('F')) }
    }
    if (
      file.name(entries.get('S')) === 'MCD' &&
      (entries.has('D') || file.name(entries.get('Type')) === 'MediaClip')
    ) {
      if (file.string(entries.get('CT')) === null) yield { test: '7.18.6.2-1' }
      const alternatives = file.array(entries.get('Alt'))
      if (
        alternatives.length < 2 ||
        alternatives.length % 2 === 1 ||
        alternatives.some((a, i) => (i % 2 === 1 ? !file.string(a) : file.string(a) === null))
      )
        yield { test: '7.18.6.2-2' }
    }
    if (hasBytes && file.name(entries.get('Subtype')) === 'Form' && entries.has('Ref'))
      yield { test: '7.20-1' }
  }
}

/** What is wrong with the document as a whole and with its parts that are on no page. */
export function* checkDocument(facts: Facts): Generator<Hit> {
  for (const { test, fails } of documentTests) {
    const failed = fails(facts)
    if (failed !== false) yield { test, text: typeof failed === 'string' ? failed : null }
  }
  if (hasMetadataWithoutLanguage(facts)) yield { test: '7.2-33' }
  yield* layers(facts)
  yield* objects(facts)
}
