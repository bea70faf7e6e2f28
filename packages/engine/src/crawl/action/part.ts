import { decodeText, foldText } from './text.ts'

const maxTextLength = 120
export const maxParts = 40

/** A part of a path, or a value, as words. */
export type Part = {
  words: readonly string[]
  /** The words without separators. */
  compact: string
  /** Written like a name in code: camel case, underscores, or with the ending of a program. */
  isCode: boolean
  raw: string
}

export const programEndings =
  /\.(?:do|action|php\d?|phtml|aspx?|ashx|jspa?|jsf|xhtml|cgi|pl|cfm|html?|seam|page|faces|json|rb|py|exe|dll|mvc)$/i
export const fileEndings = /\.[a-z][a-z0-9]{1,4}$/i

/** Splits a part of a path or a value into words: `bulkDelete_users.do`. */
export function readPart(rawText: string): Part {
  const text = decodeText(rawText).split(';', 1)[0]!.slice(0, maxTextLength).trim()
  const isProgram = programEndings.test(text) && !/\.html?$/i.test(text)
  const stem = text.replace(programEndings, '')
  const spaced = stem.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
  const partWords = foldText(spaced)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  return {
    words: partWords,
    compact: partWords.join(''),
    isCode: isProgram || /\p{Ll}\p{Lu}|_/u.test(stem),
    raw: text,
  }
}

const isYear = (part: string): boolean => /^(?:19|20)\d\d$/.test(part)
/** Returns true for a part that names one of many things. */
export function isId(parts: readonly Part[], index: number): boolean {
  const raw = parts[index]?.raw ?? ''
  const isDate = isYear(raw) || (/^\d{1,2}$/.test(raw) && isYear(parts[index - 1]?.raw ?? ''))
  return (
    !isDate && (/^\d+$/.test(raw) || /^[0-9a-f-]{8,}$/i.test(raw) || /^\{.+\}$/.test(raw) || /^[a-z]{1,4}[-_]?\d+$/i.test(raw))
  )
}

export const readParts = (path: string): Part[] =>
  path
    .split(/[/|\\]/)
    .filter(Boolean)
    .slice(-maxParts)
    .map(readPart)
export const isIn = (set: ReadonlySet<string>, part: Part | undefined): boolean =>
  part !== undefined && (set.has(part.compact) || set.has(foldText(part.raw)))
export const hasFolder = (set: ReadonlySet<string>, parts: readonly Part[]): boolean => parts.some((part) => isIn(set, part))
