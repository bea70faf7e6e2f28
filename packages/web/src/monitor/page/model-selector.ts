/** One element of a selector. Case-insensitive values are in lower case. */
export type SelectorPart = {
  /** True if it must be a direct child of the previous part's element, false for any descendant. */
  isChild: boolean
  tag: string | null
  /** 1-based index among the children of its parent. */
  nth: number | null
  classes: string[]
  /** With `isEnd`, only the end of the value must match. */
  attributes: { name: string; value: string; isEnd: boolean }[]
}

const maxSelectorLength = 4000
// Every alternative matches in exactly one way. Ambiguity would cause catastrophic backtracking on input that does not match.
const escapePattern = String.raw`\\(?:[0-9a-f]{6}|[0-9a-f]{1,5}(?![0-9a-f]))(?:\s|(?!\s))|\\[^\n0-9a-f]`
const identifierPattern = String.raw`(?:[\w-]|[^\x00-\x7f]|${escapePattern})+`
const tokenPattern = new RegExp(
  [
    String.raw`(?<child>\s*>\s*)`,
    String.raw`(?<within>\s+)`,
    `#(?<id>${identifierPattern})`,
    String.raw`\.(?<class>${identifierPattern})`,
    String.raw`:nth-child\((?<nth>\d{1,9})\)`,
    String.raw`\[(?<name>${identifierPattern})(?<end>\$?)="(?<value>(?:[^"\\\n]|${escapePattern})*)"\]`,
    `(?<tag>${identifierPattern})`,
  ].join('|'),
  'iuy',
)

const unescapeIdentifier = (escapedText: string): string =>
  escapedText.replaceAll(
    /\\(?:([0-9a-f]{1,6})\s?|(.))/giu,
    (_, hexCode: string | undefined, character: string) =>
      character ?? String.fromCodePoint(Math.min(Number.parseInt(hexCode!, 16), 0x10ffff)),
  )

const createEmptyPart = (isChild: boolean): SelectorPart => ({ isChild, tag: null, nth: null, classes: [], attributes: [] })
const isEmptyPart = ({ tag, nth, classes, attributes }: SelectorPart) =>
  tag === null && nth === null && classes.length + attributes.length === 0

/** Parses a selector in the form that axe-core writes. Returns null if it contains anything else. */
export function parseSelector(selector: string): SelectorPart[] | null {
  if (selector.length > maxSelectorLength) return null
  const selectorParts = [createEmptyPart(false)]
  for (tokenPattern.lastIndex = 0; tokenPattern.lastIndex < selector.length;) {
    const tokenGroups = tokenPattern.exec(selector)?.groups
    const currentPart = selectorParts.at(-1)!
    if (!tokenGroups) return null
    const {
      child: childCombinator,
      within: descendantCombinator,
      id: idName,
      nth: childIndex,
      name: attributeName,
      value: attributeValue,
    } = tokenGroups
    if (childCombinator !== undefined || descendantCombinator !== undefined) {
      if (isEmptyPart(currentPart)) return null
      selectorParts.push(createEmptyPart(childCombinator !== undefined))
    } else if (tokenGroups.tag !== undefined) {
      if (!isEmptyPart(currentPart)) return null
      currentPart.tag = unescapeIdentifier(tokenGroups.tag).toLowerCase()
    } else if (childIndex !== undefined) currentPart.nth = Number(childIndex)
    else if (tokenGroups.class !== undefined) currentPart.classes.push(unescapeIdentifier(tokenGroups.class))
    else
      currentPart.attributes.push({
        name: idName === undefined ? unescapeIdentifier(attributeName!).toLowerCase() : 'id',
        value: unescapeIdentifier(idName ?? attributeValue!),
        isEnd: tokenGroups.end === '$',
      })
  }
  return isEmptyPart(selectorParts.at(-1)!) ? null : selectorParts
}
