import type { PdfTrouble } from './object/value.ts'
import type { PdfReport, PdfScope } from './report.ts'

/** Input of the process: the file's bytes and the report scope. */
export type PdfTask = { bytes: Uint8Array; scope: PdfScope; withPictures: boolean }

/** Result for a file. `crashed` is an internal error, reported so that it can be fixed. */
export type PdfOutcome =
  | { kind: 'checked'; report: PdfReport }
  | { kind: 'failed'; trouble: PdfTrouble | 'timeout' | 'crashed'; detail: string }
