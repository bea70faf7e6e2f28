/** What a PDF is made of (ISO 32000-1, 7.3). Strings stay bytes: one character of `raw` is one byte. */
export type PdfName = { kind: 'name'; name: string }
export type PdfString = { kind: 'string'; raw: string }
export type PdfRef = { kind: 'ref'; num: number; gen: number }
export type PdfDict = { kind: 'dict'; entries: Map<string, PdfValue> }
export type PdfStream = {
  kind: 'stream'
  dict: PdfDict
  /** Encoded bytes, still encrypted when the file is. */ encoded: Uint8Array
  /** The object that contains it, which its decryption key depends on; null when it is not to be decrypted. */
  owner: PdfRef | null
}
export type PdfArray = { kind: 'array'; items: PdfValue[] }
/** An operator of a content stream, or a word that means nothing to us. */
export type PdfWord = { kind: 'word'; word: string }
export type PdfValue =
  null | boolean | number | PdfName | PdfString | PdfRef | PdfDict | PdfStream | PdfArray | PdfWord

/** Why a file cannot be read on: a value for `checkPdf`'s reader, thrown on the way there. */
export type PdfTrouble = 'not-a-pdf' | 'damaged' | 'locked' | 'limit' | 'no-pages'

/** Thrown inside this folder only, and turned into an outcome at its door. */
export class PdfError extends Error {
  readonly trouble: PdfTrouble
  constructor(trouble: PdfTrouble, detail: string) {
    super(detail)
    this.trouble = trouble
  }
}

/** Most that one file may make us do; beyond it the file is refused, or only partly checked. */
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

/** A reference as the key of a map. */
export const refKey = (ref: PdfRef): string => `${ref.num} ${ref.gen}`
