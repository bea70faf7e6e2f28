/** Elements that an author closes; end tags of others are optional. */
const closedElements = new Set(
  'main article section aside nav header footer div form table ul ol dl select fieldset span button'.split(' '),
)
/** Elements whose content is text. */
const textElements = new Set(['script', 'style', 'title', 'textarea'])

/** Reads the name of a tag at a position; `isEnd` for an end tag. Null if no tag is there. */
function readTag(markup: string, position: number): { name: string; isEnd: boolean } | null {
  const [match, slash, name] = /^<(\/?)([a-z][a-z\d-]{0,30})/.exec(markup.slice(position, position + 40)) ?? []
  return match === undefined ? null : { name: name!, isEnd: slash === '/' }
}

/**
 * Returns true for the source of an HTML document that ends in the middle: within a tag, a comment or a script, or within an
 * element that is never closed, without an end of the body. A server or proxy that breaks off may end its answer properly, and
 * browsers then show a part of the page like a whole one. Takes time in proportion to the length.
 */
export function isCutSource(source: string): boolean {
  const markup = source.toLowerCase()
  let openCount = 0
  for (let position = markup.indexOf('<'); position >= 0; position = markup.indexOf('<', position)) {
    const isComment = markup.startsWith('<!--', position)
    const tag = isComment ? null : readTag(markup, position)
    const endIndex = isComment
      ? markup.indexOf('-->', position + 2)
      : tag || markup[position + 1] === '!'
        ? markup.indexOf('>', position)
        : position
    if (endIndex < 0) return true
    position = endIndex + 1
    if (!tag) continue
    if (tag.isEnd && (tag.name === 'body' || tag.name === 'html')) return false
    if (closedElements.has(tag.name)) openCount += tag.isEnd ? -1 : 1
    if (tag.isEnd || !textElements.has(tag.name)) continue
    position = markup.indexOf(`</${tag.name}`, position)
    if (position < 0) return true
  }
  return openCount > 0
}
