// Two forms of a URL (RFC 3986, 6.2.2): percent-encoded to compare, as browsers report it, and decoded to read and write.

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Characters that mean the same whether they are escaped or not. Delimiters stay escaped, and `*`, which is a wildcard in patterns. */
const plainCharacters = /^[A-Za-z0-9\-._~!'()]$/

const escapeRuns = /(?:%[0-9a-f]{2})+/gi
const escapeAscii = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Decodes a run of escapes as UTF-8. Bytes that are no UTF-8 and characters that must stay escaped do so. */
function decodeEscapes(escapes: string, isDecoded: (character: string) => boolean): string {
  const bytes = Uint8Array.from(escapes.slice(1).split('%'), (byte) => Number.parseInt(byte, 16))
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return escapes.toUpperCase()
  }
  const characters = Array.from(text, (character) =>
    isDecoded(character) ? character : encodeURIComponent(character).replaceAll(/[!'()*]/g, escapeAscii),
  )
  return characters.join('')
}

/** Returns a URL, a part or a pattern of one for comparisons: non-ASCII composed and escaped, minimal escapes in upper case. */
export const toComparableUrl = (text: string): string =>
  text
    .replaceAll(escapeRuns, (escapes) => decodeEscapes(escapes, (one) => one > '\x7f' || plainCharacters.test(one)))
    .normalize('NFC')
    .replaceAll(/[^\x21-\x7e]+/g, (characters) => encodeURIComponent(characters.toWellFormed()))

/** Returns a pattern for comparable URLs. A scheme and a host become as in browsers: lower case, punycode, no default port. */
export function toComparablePattern(pattern: string): string {
  const scheme = /^https?:\/\//i.exec(pattern)?.[0] ?? ''
  const [host = ''] = pattern.slice(scheme.length).split(/[/?#*]/, 1)
  const remainder = pattern.slice(scheme.length + host.length)
  const parsedHost = scheme === '' || host === '' ? null : URL.parse(`${scheme}${host}/`)
  // In `http://exa*`, the host is not complete, and `?` is one character of a glob.
  const isWholeHost = remainder === '' || remainder.startsWith('/')
  return parsedHost && isWholeHost ? `${parsedHost.origin}${toComparableUrl(remainder || '/')}` : toComparableUrl(pattern)
}

/** Returns the forms of a search text in a URL: as typed, percent-encoded, and with its host in Punycode, also without scheme. */
export function listSearchForms(text: string): string[] {
  const [firstPart = ''] = text.split(/[/?#@\\]/, 1)
  const asciiHost = /[^\x21-\x7e]/.test(firstPart) ? URL.parse(`http://${firstPart}/`)?.host : undefined
  const forms = [text, toComparableUrl(text), toComparableUrl(text.toLowerCase()), toComparablePattern(text)]
  if (asciiHost !== undefined) forms.push(asciiHost + toComparableUrl(text.slice(firstPart.length)))
  return [...new Set(forms)]
}

/** Characters that change the order of others, are invisible, or are spaces: they stay escaped in a readable URL. */
const deceptiveCharacters = /[\p{C}\p{Z}]/u
/** ASCII stays escaped where its escape means something else. */
const isReadable = (character: string): boolean =>
  character > '\x7f' ? !deceptiveCharacters.test(character) : plainCharacters.test(character)

/** Returns a URL as people read it: the path in its own script. Its host stays as it is, so that it cannot imitate another. */
export const toReadableUrl = (url: string): string => url.replaceAll(escapeRuns, (escapes) => decodeEscapes(escapes, isReadable))
