/** Attributes to set; null removes one. */
export type AttributeEdits = ReadonlyMap<string, string | null>

export type StartTag = {
  getAttribute: (name: string) => string | null
  attributeNames: readonly string[]
  /** Returns the tag with the edits applied and everything else unchanged; null if nothing changes. */
  applyEdits: (edits: AttributeEdits) => string | null
}

const tagNamePattern = /^<[a-z][^\s/>]*/i
const attributePattern = /\s+([^\s"'<>/=]+)(?:="([^"]*)")?/y

const decodeEntities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const encodeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const formatAttribute = (name: string, value: string): string => ` ${name}="${encodeAttribute(value)}"`

/** Parses the start tag of HTML serialized by a browser. Returns null if the tag is truncated. */
export function parseStartTag(html: string): StartTag | null {
  const tagOpening = tagNamePattern.exec(html)?.[0]
  if (tagOpening === undefined) return null
  const foundAttributes: { name: string; value: string; text: string }[] = []
  attributePattern.lastIndex = tagOpening.length
  let attributesEnd = tagOpening.length
  for (let attributeMatch = attributePattern.exec(html); attributeMatch; attributeMatch = attributePattern.exec(html)) {
    foundAttributes.push({ name: attributeMatch[1]!, value: decodeEntities(attributeMatch[2] ?? ''), text: attributeMatch[0] })
    attributesEnd = attributePattern.lastIndex
  }
  const tagClosing = /^\s*\/?>/.exec(html.slice(attributesEnd, attributesEnd + 3))?.[0]
  if (tagClosing === undefined) return null
  return {
    getAttribute: (name) => foundAttributes.find((candidate) => candidate.name === name)?.value ?? null,
    attributeNames: foundAttributes.map(({ name }) => name),
    applyEdits: (edits) => {
      const keptAttributes = foundAttributes.map(({ name, text }) => {
        const attributeEdit = edits.get(name)
        return attributeEdit === undefined ? text : attributeEdit === null ? '' : formatAttribute(name, attributeEdit)
      })
      const addedAttributes = [...edits].flatMap(([name, value]) =>
        value === null || foundAttributes.some((candidate) => candidate.name === name) ? [] : [formatAttribute(name, value)],
      )
      const editedTag = tagOpening + [...keptAttributes, ...addedAttributes].join('') + tagClosing
      return editedTag === html.slice(0, attributesEnd + tagClosing.length) ? null : editedTag
    },
  }
}
