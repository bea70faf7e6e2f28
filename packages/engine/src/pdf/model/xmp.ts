import { SaxesParser, type SaxesTagNS } from 'saxes'

/** Contents of the metadata stream (XMP, ISO 16684-1). */
export type XmpMetadata = {
  /** True if it is valid XML. */
  readable: boolean
  /** PDF/UA identification: value and written prefix of each property. */
  uaIdentification: Partial<Record<'part' | 'amd' | 'corr' | 'rev', { value: string; prefix: string }>>
  /** `dc:title`; null if missing, '' if empty. */
  title: string | null
  /** True if an alternative has only `x-default` and no other language. */
  defaultLanguageOnly: boolean
  /** `dc:language` items. */
  languages: string[]
  modified: string | null
  producer: string | null
}

const namespaces = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  dc: 'http://purl.org/dc/elements/1.1/',
  ua: 'http://www.aiim.org/pdfua/ns/id/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
} as const
const maxMetadataBytes = 4 * 2 ** 20

function decodeXml(bytes: Uint8Array): string {
  const [firstByte, secondByte] = bytes
  if (firstByte === 0xfe && secondByte === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (firstByte === 0xff && secondByte === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (firstByte === 0 && secondByte === 0x3c) return new TextDecoder('utf-16be').decode(bytes)
  if (firstByte === 0x3c && secondByte === 0) return new TextDecoder('utf-16le').decode(bytes)
  return new TextDecoder('utf-8').decode(bytes)
}

type XmpProperty = { uri: string; local: string; prefix: string; text: string; isAlternative: boolean; languages: string[] }

function applyProperty(xmp: XmpMetadata, property: XmpProperty): void {
  const { uri, local, prefix } = property
  const propertyText = property.text.trim()
  if (uri === namespaces.ua && (local === 'part' || local === 'amd' || local === 'corr' || local === 'rev'))
    xmp.uaIdentification[local] ??= { value: propertyText, prefix }
  if (uri === namespaces.dc && local === 'title' && property.isAlternative) xmp.title ??= propertyText
  if (uri === namespaces.dc && local === 'language' && propertyText) xmp.languages.push(propertyText)
  if (uri === namespaces.xmp && local === 'ModifyDate') xmp.modified ??= propertyText
  if (uri === namespaces.pdf && local === 'Producer') xmp.producer ??= propertyText
  if (
    property.isAlternative &&
    property.languages.length > 0 &&
    property.languages.every((languageCode) => languageCode === 'x-default')
  )
    xmp.defaultLanguageOnly = true
}

/** Parses a metadata stream. A document type makes it unreadable: untrusted entities are never expanded. */
export function readXmp(bytes: Uint8Array): XmpMetadata {
  const metadata: XmpMetadata = {
    readable: true,
    uaIdentification: {},
    title: null,
    defaultLanguageOnly: false,
    languages: [],
    modified: null,
    producer: null,
  }
  const xmlParser = new SaxesParser({ xmlns: true })
  const parseFault = { met: false }
  const markFault = () => void (parseFault.met = true)
  xmlParser.on('error', markFault)
  xmlParser.on('doctype', markFault)
  const openTags: { tag: SaxesTagNS; property: XmpProperty | null }[] = []
  const getCurrentProperty = () => openTags.findLast(({ property: openProperty }) => openProperty)?.property ?? null
  xmlParser.on('opentag', (tag) => {
    const parentTag = openTags.at(-1)
    const isDescription = tag.uri === namespaces.rdf && tag.local === 'Description'
    if (isDescription)
      for (const xmlAttribute of Object.values(tag.attributes))
        if (xmlAttribute.uri !== namespaces.rdf && xmlAttribute.uri !== '')
          applyProperty(metadata, {
            uri: xmlAttribute.uri,
            local: xmlAttribute.local,
            prefix: xmlAttribute.prefix,
            text: xmlAttribute.value,
            isAlternative: false,
            languages: [],
          })
    const isInDescription =
      parentTag?.tag.uri === namespaces.rdf && parentTag.tag.local === 'Description' && !getCurrentProperty()
    const newProperty: XmpProperty | null = isInDescription
      ? { uri: tag.uri, local: tag.local, prefix: tag.prefix, text: '', isAlternative: false, languages: [] }
      : null
    const currentProperty = newProperty ?? getCurrentProperty()
    if (currentProperty && tag.uri === namespaces.rdf && tag.local === 'Alt') currentProperty.isAlternative = true
    if (currentProperty && tag.uri === namespaces.rdf && tag.local === 'li')
      currentProperty.languages.push(tag.attributes['xml:lang']?.value ?? '')
    openTags.push({ tag, property: newProperty })
  })
  xmlParser.on('text', (text) => {
    const textProperty = getCurrentProperty()
    // The first of several languages is the default.
    if (textProperty && textProperty.languages.length < 2 && textProperty.text.length < 10_000) textProperty.text += text
  })
  xmlParser.on('closetag', () => {
    const closedTag = openTags.pop()
    if (closedTag?.property) applyProperty(metadata, closedTag.property)
  })
  // Written in chunks, so that parsing stops early for a broken document.
  const xmlText = decodeXml(bytes.subarray(0, maxMetadataBytes))
    .replace(/^\uFEFF/, '')
    .replace(/(?<!\0)\0+$/, '')
  for (let i = 0; i < xmlText.length && !parseFault.met; i += 65_536) xmlParser.write(xmlText.slice(i, i + 65_536))
  if (!parseFault.met) xmlParser.close()
  metadata.readable = !parseFault.met
  return metadata
}
