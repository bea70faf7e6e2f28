/** Value types of PDF (ISO 32000-1, 7.3). Strings stay bytes: one character of `raw` is one byte. */
export type PdfName = { kind: 'name'; name: string }
export type PdfString = { kind: 'string'; raw: string }
export type PdfRef = { kind: 'ref'; num: number; gen: number }
export type PdfDict = { kind: 'dict'; entries: Map<string, PdfValue> }
export type PdfStream = {
  kind: 'stream'
  dict: PdfDict
  /** Encoded bytes, still encrypted when the file is. */
  encoded: Uint8Array
  /** Containing object, which determines the decryption key; null if it must not be decrypted. */
  owner: PdfRef | null
}
export type PdfArray = { kind: 'array'; items: PdfValue[] }
/** An operator of a content stream, or an unknown word. */
export type PdfWord = { kind: 'word'; word: string }
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfRef | PdfDict | PdfStream | PdfArray | PdfWord

/** Reason why reading a file stopped; thrown by the reader and returned as a value by `checkPdf`. */
export type PdfTrouble = 'not-a-pdf' | 'damaged' | 'locked' | 'limit' | 'no-pages'

/** Thrown only inside this folder, and converted to an outcome by the caller. */
export class PdfError extends Error {
  readonly trouble: PdfTrouble
  constructor(trouble: PdfTrouble, detail: string) {
    super(detail)
    this.trouble = trouble
  }
}

/** Resource limits for one file. Beyond them, the file is refused or only partly checked. */
export const pdfLimits = {
  depth: 200,
  streamBytes: 64 * 2 ** 20,
  totalBytes: 256 * 2 ** 20,
  operators: 5_000_000,
  objects: 2_000_000,
  structureElements: 500_000,
  pages: 2000,
} as const

const isKind = <K extends string>(value: unknown, kind: K): value is { kind: K } =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === kind

export const isName = (value: PdfValue | undefined): value is PdfName => isKind(value, 'name')
export const isString = (value: PdfValue | undefined): value is PdfString => isKind(value, 'string')
export const isRef = (value: PdfValue | undefined): value is PdfRef => isKind(value, 'ref')
export const isDict = (value: PdfValue | undefined): value is PdfDict => isKind(value, 'dict')
export const isStream = (value: PdfValue | undefined): value is PdfStream => isKind(value, 'stream')
export const isArray = (value: PdfValue | undefined): value is PdfArray => isKind(value, 'array')

/** Key of a reference for maps. */
export const toRefKey = (ref: PdfRef): string => `${ref.num} ${ref.gen}`
