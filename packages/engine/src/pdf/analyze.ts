import { toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import { standards, type RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { FailureReason, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { Finding } from '../outcome.ts'
import type { PdfReport, PdfScope } from './report.ts'
import { checkPdf } from './process-pool.ts'
import type { PdfOutcome } from './task.ts'

/** A PDF as a page of a scan. */
export type PdfAnalysis =
  | {
      kind: 'done'
      title: string
      findings: Finding[]
      /** Screenshots of the pages with findings, in page order. */
      views: Uint8Array[]
      /** The document's own modification date, ISO 8601; null if missing. */
      modifiedAt: string | null
      links: string[]
      /** Metadata and tags of the document as JSON. */
      content: string
      notices: PageNotice[]
    }
  | { kind: 'failed'; reason: FailureReason; detail: string }

/** Analyzes a PDF as a page of a scan. Never rejects because of its content. */
export type AnalyzePdf = (pdf: { url: string; bytes: Buffer; limitMs: number; signal?: AbortSignal }) => Promise<PdfAnalysis>

/** The PDF checks that a rule set requires. */
export const buildPdfScope = (ruleSet: RuleSet): PdfScope => ({
  wcag: standards[ruleSet.standard].tags,
  bestPractices: ruleSet.bestPractices,
  pdfUa: ruleSet.pdfUa,
})

/** Only the PDF/UA-1 profile. */
export const pdfUaOnlyScope: PdfScope = { wcag: null, bestPractices: false, pdfUa: true }

type FailureTrouble = Extract<PdfOutcome, { kind: 'failed' }>['trouble']

/** Failure reason of the page for each trouble. */
const reasonsByTrouble: Readonly<Record<FailureTrouble, FailureReason>> = {
  'not-a-pdf': 'pdf-damaged',
  damaged: 'pdf-damaged',
  'no-pages': 'pdf-damaged',
  locked: 'pdf-locked',
  limit: 'pdf-too-complex',
  timeout: 'timeout-command',
  crashed: 'backend',
}

/** JSON stored as the content of a PDF: `{ about, tags }`. */
const buildContent = ({ about, tags }: PdfReport): string => JSON.stringify({ about, tags })

const getTitle = ({ about }: PdfReport, url: string): string =>
  about.title ?? toReadableUrl(URL.parse(url)?.pathname.split('/').at(-1) ?? '').replaceAll('%20', ' ')

/** Rendered pages in document order, without duplicates. */
function listScreenshots({ findings }: PdfReport): Uint8Array[] {
  const pagesByImage = new Map<Uint8Array, number>()
  for (const { picture, spot } of findings) if (picture && spot) pagesByImage.set(picture.image, spot.page)
  return [...pagesByImage].sort(([, firstPage], [, secondPage]) => firstPage - secondPage).map(([image]) => image)
}

/** Links of a document to http and https URLs; relative ones lead from the document. */
const resolveLinks = (links: readonly string[], url: string): string[] =>
  links.flatMap((link) => {
    const linkUrl = URL.parse(link, url)
    return linkUrl && /^https?:$/.test(linkUrl.protocol) ? [linkUrl.href] : []
  })

function toAnalysis(report: PdfReport, url: string): PdfAnalysis {
  return {
    kind: 'done',
    title: getTitle(report, url),
    findings: report.findings,
    views: listScreenshots(report),
    modifiedAt: report.about.modifiedAt,
    links: resolveLinks(report.links, url),
    content: buildContent(report),
    notices: [
      ...(report.isPartial ? (['pdf-partly-checked'] as const) : []),
      ...(report.isDamaged ? (['pdf-partly-read'] as const) : []),
    ],
  }
}

/** Creates the check of PDFs for one scan. */
export const createPdfAnalysis =
  (scope: PdfScope, withPictures: boolean): AnalyzePdf =>
  async ({ url, bytes, limitMs, signal }) => {
    const pdfOutcome = await checkPdf(bytes, { scope, withPictures, timeoutMs: limitMs, ...(signal ? { signal } : {}) })
    if (pdfOutcome.kind === 'checked') return toAnalysis(pdfOutcome.report, url)
    return { kind: 'failed', reason: reasonsByTrouble[pdfOutcome.trouble], detail: pdfOutcome.detail }
  }
