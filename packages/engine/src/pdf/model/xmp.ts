import { SaxesParser, type SaxesTagNS } from 'saxes'

/** What the metadata stream says (XMP, ISO 16684-1). */
export type Xmp = {
  /** It is XML that could be read. */ readable: boolean
  /** Of the PDF/UA identification: each property's value and the prefix that it is written with. */
  uaIdentification: Partial<Record<'part' | 'amd' | 'corr' | 'rev', { value: string; prefix: string }>>
  /** `dc:title`; null when it has none, '' when it is empty. */
  title: string | null
  /** An alternative with `x-default` and no language beside it. */
  defaultLanguageOnly: boolean
  /** `dc:language` items. */
  languages: string[]
  modified: string | null
  producer: string | null
}

const ns = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  dc: 'http://purl.org/dc/elements/1.1/',
  ua: 'http://www.aiim.org/pdfua/ns/id/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
} as const
const most = 4 * 2 ** 20

function decode(bytes: Uint8Array): string {
  const [a, b] = bytes
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (a === 0 && b === 0x3c) return new TextDecoder('utf-16be').decode(bytes)
  if (a === 0x3c && b === 0) return new TextDecoder('utf-16le').decode(bytes)
  return new TextDecoder('utf-8').decode(bytes)
}

type Property = {
  uri: string
  local: string
  prefix: string
  text: string
  isAlternative: boolean
  languages: string[]
}

function take(xmp: Xmp, property: Property): void {
  const { uri, local, prefix } = property
  const text = property.text.trim()
  if (uri === ns.ua && (local === 'part' || local === 'amd' || local === 'corr' || local === 'rev'))
    xmp.uaIdentification[local] ??= { value: text, prefix }
  if (uri === ns.dc && local === 'title' && property.isAlternative) xmp.title ??= text
  if (uri === ns.dc && local === 'language' && text) xmp.languages.push(text)
  if (uri === ns.xmp && local === 'ModifyDate') xmp.modified ??= text
  if (uri === ns.pdf && local === 'Producer') xmp.producer ??= text
  if (
    property.isAlternative &&
    property.languages.length > 0 &&
    property.languages.every((l) => l === 'x-default')
  )
    xmp.defaultLanguageOnly = true
}

/** Reads a metadata stream. A document type makes it unreadable: no entity of a stranger's is ever expanded. */
export function readXmp(bytes: Uint8Array): Xmp {
  const xmp: Xmp = {
    readable: true,
    uaIdentification: {},
    title: null,
    defaultLanguageOnly: false,
    languages: [],
    modified: null,
    producer: null,
  }
  const parser = new SaxesParser({ xmlns: true })
  const fault = { met: false }
  const fail = () => void (fault.met = true)
  parser.on('error', fail)
  parser.on('doctype', fail)
  const open: { tag: SaxesTagNS; property: Property | null }[] = []
  const current = () => open.findLast(({ property }) => property)?.property ?? null
  parser.on('opentag', (tag) => {
    const parent = open.at(-1)
    const isDescription = tag.uri === ns.rdf && tag.local === 'Description'
    if (isDescription)
      for (const attribute of Object.values(tag.attributes))
        if (attribute.uri !== ns.rdf && attribute.uri !== '')
          take(xmp, {
            uri: attribute.uri,
            local: attribute.local,
            prefix: attribute.prefix,
            text: attribute.value,
            isAlternative: false,
            languages: [],
          })
    const inDescription = parent?.tag.uri === ns.rdf && parent.tag.local === 'Description' && !current()
    const property: Property | null = inDescription
      ? { uri: tag.uri, local: tag.local, prefix: tag.prefix, text: '', isAlternative: false, languages: [] }
      : null
    const within = property ?? current()
    if (within && tag.uri === ns.rdf && tag.local === 'Alt') within.isAlternative = true
    if (within && tag.uri === ns.rdf && tag.local === 'li')
      within.languages.push(tag.attributes['xml:lang']?.value ?? '')
    open.push({ tag, property })
  })
  parser.on('text', (text) => {
    const property = current()
    // The first of several languages is the default one.
    if (property && property.languages.length < 2 && property.text.length < 10_000) property.text += text
  })
  parser.on('closetag', () => {
    const closed = open.pop()
    if (closed?.property) take(xmp, closed.property)
  })
  // Written in pieces, so that a broken document stops us at once.
  const text = decode(bytes.subarray(0, most))
    .replace(/^\uFEFF/, '')
    .replace(/(?<!\0)\0+$/, '')
  for (let i = 0; i < text.length && !fault.met; i += 65_536) parser.write(text.slice(i, i + 65_536))
  if (!fault.met) parser.close()
  xmp.readable = !fault.met
  return xmp
}
