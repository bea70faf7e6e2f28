/** Attributes to set, or with null to remove. */
export type AttributeEdits = ReadonlyMap<string, string | null>

export type StartTag = {
  /** The value of an attribute; null without one. */
  get: (name: string) => string | null
  names: readonly string[]
  /** The same tag with other attributes, the rest as it was written; null when nothing changes. */
  edited: (edits: AttributeEdits) => string | null
}

const tagName = /^<[a-z][^\s/>]*/i
const attribute = /\s+([^\s"'<>/=]+)(?:="([^"]*)")?/y

const decode = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const encode = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const written = (name: string, value: string): string => ` ${name}="${encode(value)}"`

/** The start tag of an element as a browser writes it; null if it is cut off. */
export function startTagOf(html: string): StartTag | null {
  const begin = tagName.exec(html)?.[0]
  if (begin === undefined) return null
  const found: { name: string; value: string; text: string }[] = []
  attribute.lastIndex = begin.length
  let end = begin.length
  for (let next = attribute.exec(html); next; next = attribute.exec(html)) {
    found.push({ name: next[1]!, value: decode(next[2] ?? ''), text: next[0] })
    end = attribute.lastIndex
  }
  const close = /^\s*\/?>/.exec(html.slice(end, end + 3))?.[0]
  if (close === undefined) return null
  return {
    get: (name) => found.find((one) => one.name === name)?.value ?? null,
    names: found.map(({ name }) => name),
    edited: (edits) => {
      const kept = found.map(({ name, text }) => {
        const edit = edits.get(name)
        return edit === undefined ? text : edit === null ? '' : written(name, edit)
      })
      const added = [...edits].flatMap(([name, value]) =>
        value === null || found.some((one) => one.name === name) ? [] : [written(name, value)],
      )
      const text = begin + [...kept, ...added].join('') + close
      return text === html.slice(0, end + close.length) ? null : text
    },
  }
}
