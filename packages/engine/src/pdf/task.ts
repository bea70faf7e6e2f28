import type { PdfTrouble } from './object/value.ts'
import type { PdfReport, PdfScope } from './report.ts'

/** What the process is given: the file's bytes and what to report. */
export type PdfTask = { bytes: Uint8Array; scope: PdfScope; withPictures: boolean }

/** What became of a file. `crashed` is a fault of ours, reported so that it can be fixed. */
export type PdfOutcome =
  | { kind: 'checked'; report: PdfReport }
  | { kind: 'failed'; trouble: PdfTrouble | 'timeout' | 'crashed'; detail: string }
