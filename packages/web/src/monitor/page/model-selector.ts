/** One element of a selector, in lower case where HTML does not care. */
export type Part = {
  /** Directly in the element of the part before, else anywhere in it. */
  isChild: boolean
  tag: string | null
  /** Which child of its parent, from 1. */
  nth: number | null
  classes: string[]
  /** `isEnd`: how the value ends. */
  attributes: { name: string; value: string; isEnd: boolean }[]
}

const longest = 4000
// Each can be read in one way only: with several, what fits nowhere would take time beyond all bounds.
const escaped = String.raw`\\(?:[0-9a-f]{6}|[0-9a-f]{1,5}(?![0-9a-f]))(?:\s|(?!\s))|\\[^\n0-9a-f]`
const word = String.raw`(?:[\w-]|[^\x00-\x7f]|${escaped})+`
const token = new RegExp(
  [
    String.raw`(?<child>\s*>\s*)`,
    String.raw`(?<within>\s+)`,
    `#(?<id>${word})`,
    String.raw`\.(?<class>${word})`,
    String.raw`:nth-child\((?<nth>\d{1,9})\)`,
    String.raw`\[(?<name>${word})(?<end>\$?)="(?<value>(?:[^"\\\n]|${escaped})*)"\]`,
    `(?<tag>${word})`,
  ].join('|'),
  'iuy',
)

const plain = (text: string): string =>
  text.replaceAll(
    /\\(?:([0-9a-f]{1,6})\s?|(.))/giu,
    (_, code: string | undefined, sign: string) =>
      sign ?? String.fromCodePoint(Math.min(Number.parseInt(code!, 16), 0x10ffff)),
  )

const nothing = (isChild: boolean): Part => ({ isChild, tag: null, nth: null, classes: [], attributes: [] })
const isEmpty = ({ tag, nth, classes, attributes }: Part) =>
  tag === null && nth === null && classes.length + attributes.length === 0

/** The parts of a selector as axe-core writes them; null for one with anything else in it. */
export function partsOf(selector: string): Part[] | null {
  if (selector.length > longest) return null
  const parts = [nothing(false)]
  for (token.lastIndex = 0; token.lastIndex < selector.length;) {
    const found = token.exec(selector)?.groups
    const part = parts.at(-1)!
    if (!found) return null
    const { child, within, id, nth, name, value } = found
    if (child !== undefined || within !== undefined) {
      if (isEmpty(part)) return null
      parts.push(nothing(child !== undefined))
    } else if (found.tag !== undefined) {
      if (!isEmpty(part)) return null
      part.tag = plain(found.tag).toLowerCase()
    } else if (nth !== undefined) part.nth = Number(nth)
    else if (found.class !== undefined) part.classes.push(plain(found.class))
    else
      part.attributes.push({
        name: id === undefined ? plain(name!).toLowerCase() : 'id',
        value: plain(id ?? value!),
        isEnd: found.end === '$',
      })
  }
  return isEmpty(parts.at(-1)!) ? null : parts
}
