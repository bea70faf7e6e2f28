import { computeHealth } from '@clearway/contract/monitor/page/model.ts'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { AnalyzePdf } from '../../pdf/analyze.ts'
import {
  excludeVisit,
  failVisit,
  getRemainingMs,
  getElapsedMs,
  type ResponseFacts,
  type VisitContext,
  type VisitPdf,
  type VisitResult,
} from './context.ts'
import type { FetchFile } from '../../guard/fetch.ts'
import { checkRedirect } from './check-arrival.ts'

export type PdfDeps = {
  fetchFile: FetchFile
  analyzePdf: AnalyzePdf
  /** Counts one more PDF of the run. Returns false if the limit was reached. */
  admit: (maxPdfs: number) => Promise<boolean>
}

const pdfType = 'application/pdf'
const maxPdfBytes = 100 * 1024 * 1024
const maxCheckMs = 60_000

/** Returns why a PDF is excluded by its date; null if it is included or has no date. */
function findDateExclusion(settings: AdvancedSettings, modifiedText: string | null | undefined): string | null {
  const modifiedTime = modifiedText ? Date.parse(modifiedText) : Number.NaN
  if (Number.isNaN(modifiedTime)) return null
  const modifiedDay = new Date(modifiedTime).toISOString().slice(0, 10)
  const { pdfModifiedFrom: fromDay, pdfModifiedTo: toDay } = settings
  if (fromDay !== null && modifiedDay < fromDay) return `Last changed on ${modifiedDay}, before ${fromDay}`
  if (toDay !== null && modifiedDay > toDay) return `Last changed on ${modifiedDay}, after ${toDay}`
  return null
}

async function visitPdfFile(pdfDeps: PdfDeps, visitContext: VisitContext, responseFacts: ResponseFacts): Promise<VisitResult> {
  const { advanced } = visitContext.deps.plan
  const fetchedFile = await pdfDeps.fetchFile(visitContext.claim.url, maxPdfBytes)
  if (!fetchedFile.ok) return failVisit(visitContext, fetchedFile.reason, fetchedFile.detail)
  const headerDateReason = findDateExclusion(advanced, fetchedFile.lastModified)
  if (headerDateReason !== null) return excludeVisit(visitContext, 'pdf-date', headerDateReason, responseFacts)
  if (!hasPdfHeader(fetchedFile.bytes)) return failVisit(visitContext, ...explainNotPdf(fetchedFile.bytes))
  const pdfAnalysis = await pdfDeps.analyzePdf({
    url: visitContext.claim.url,
    bytes: fetchedFile.bytes,
    limitMs: Math.max(1000, getRemainingMs(visitContext, maxCheckMs)),
    ...(visitContext.signal ? { signal: visitContext.signal } : {}),
  })
  if (pdfAnalysis.kind === 'failed') return failVisit(visitContext, pdfAnalysis.reason, pdfAnalysis.detail)
  const documentDateReason = fetchedFile.lastModified === null ? findDateExclusion(advanced, pdfAnalysis.modifiedAt) : null
  if (documentDateReason !== null) return excludeVisit(visitContext, 'pdf-date', documentDateReason, responseFacts)
  const maxPdfs = advanced.pdfTargetCount
  if (maxPdfs !== null && !(await pdfDeps.admit(maxPdfs)))
    return excludeVisit(visitContext, 'pdf-count', `The run has had ${maxPdfs} PDFs`, responseFacts)
  return {
    outcome: {
      kind: 'completed',
      finalUrl: responseFacts.url,
      httpStatus: responseFacts.status,
      mimeType: pdfType,
      durationMs: getElapsedMs(visitContext),
      title: pdfAnalysis.title.slice(0, 1000),
      health: computeHealth(pdfAnalysis.findings.map(({ severity }) => severity)),
      findings: pdfAnalysis.findings,
      notices: pdfAnalysis.notices,
      content: advanced.savePageContent ? pdfAnalysis.content : null,
      views: pdfAnalysis.views,
    },
    links: pdfAnalysis.links.map((url) => ({ url, kind: 'anchor' as const })),
    keepTab: responseFacts.keepTab ?? true,
  }
}

/** The header may follow other bytes, as PDF readers allow. */
const hasPdfHeader = (bytes: Buffer): boolean => bytes.subarray(0, 1024).includes('%PDF-')

function explainNotPdf(bytes: Buffer): [FailureReason, string] {
  if (bytes.length === 0) return ['pdf-damaged', 'The file is empty']
  if (/^\s*(<!doctype html|<html|<\?xml|<!--)/i.test(bytes.toString('utf8', 0, 512)))
    return ['html-instead-of-pdf', 'The URL is that of a PDF, and its content is a web page']
  return ['pdf-damaged', 'The file does not begin as a PDF does']
}

/** Generic types that servers send for unknown files. */
const genericTypes = new Set(['application/octet-stream', 'binary/octet-stream', 'application/x-pdf', 'application/download'])
const isNamedPdf = (url: string): boolean => /\.pdf$/i.test(URL.parse(url)?.pathname ?? '')

/** Creates the visitor of PDFs. It decides which PDFs the scan tests; `analyzePdf` reports their problems. */
export function openPdfVisit(pdfDeps: PdfDeps): VisitPdf {
  return async (context, arrival) => {
    if (arrival.kind === 'failed') return null
    const hasPdfName = isNamedPdf(arrival.url)
    const isErrorPage = hasPdfName && arrival.mimeType === 'text/html' && arrival.status === 200
    const isGenericType = hasPdfName && genericTypes.has(arrival.mimeType ?? 'application/octet-stream')
    if (arrival.mimeType !== pdfType && !isErrorPage && !isGenericType) return null
    if (arrival.status !== null && arrival.status >= 400) return null
    if (!context.deps.plan.advanced.mimeTypes.includes(pdfType)) return null
    const redirectVisit = checkRedirect(context, arrival.url, arrival)
    return redirectVisit ?? visitPdfFile(pdfDeps, context, arrival)
  }
}
