import { getVisitUrl } from '../../frontier.ts'
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
import type { Arrival } from './arrive.ts'
import { judgeRedirect } from './signed-in.ts'
import { judgeShownPage } from '../../session/proof.ts'

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
  const fetchedFile = await pdfDeps.fetchFile(getVisitUrl(visitContext.claim), maxPdfBytes)
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
  const proof = visitContext.deps.signIn.getProof()
  const isProved = proof && judgeShownPage(proof, responseFacts.url)
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
      ...(isProved === null ? {} : { isProved }),
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

const pdfTypes = new Set([pdfType, 'application/x-pdf', 'application/acrobat', 'application/vnd.pdf', 'text/pdf', 'text/x-pdf'])
/** Types of files that are no PDFs. All others are names that download handlers make up. */
const otherType =
  /^(?:image|audio|video|font|text|model|message|multipart)\/|json|xml|zip|compress|tar|rar|7z|msword|vnd\.|javascript|wasm|rtf|epub|postscript|java|msdownload|x-sh|iso9660|sql/
const isNamedPdf = (url: string): boolean => /\.pdf(?:;[^/]*)?$/i.test(URL.parse(url)?.pathname ?? '')
const hasOtherName = (fileName: string): boolean => /\.[a-z][a-z0-9]{0,5}$/i.test(fileName)

/** Returns whether a response is a PDF by its type and name: `maybe` if only its first bytes can tell. */
function guessPdf(arrival: Exclude<Arrival, { kind: 'failed' }>): 'yes' | 'maybe' | 'no' {
  const { mimeType } = arrival
  const fileName = arrival.kind === 'no-document' ? arrival.fileName : null
  if (mimeType !== null && pdfTypes.has(mimeType)) return 'yes'
  const isOtherType = mimeType !== null && otherType.test(mimeType)
  // A page in place of a PDF is reported.
  if (isNamedPdf(arrival.url)) return !isOtherType || (mimeType === 'text/html' && arrival.status === 200) ? 'yes' : 'no'
  if (isOtherType || arrival.kind === 'document') return 'no'
  if (fileName !== null && /\.pdf$/i.test(fileName)) return 'yes'
  return fileName !== null && hasOtherName(fileName) ? 'no' : 'maybe'
}

const headBytes = 1024

/** Returns true if a file begins as a PDF does, or cannot be fetched in part. */
async function beginsAsPdf(fetchFile: FetchFile, url: string): Promise<boolean> {
  const fetchedHead = await fetchFile(url, headBytes)
  if (fetchedHead.ok) return hasPdfHeader(fetchedHead.bytes)
  return fetchedHead.reason === 'too-large' && (fetchedHead.head === undefined || hasPdfHeader(fetchedHead.head))
}

/** Creates the visitor of PDFs. It decides which PDFs the scan tests; `analyzePdf` reports their problems. */
export function openPdfVisit(pdfDeps: PdfDeps): VisitPdf {
  return async (context, arrival) => {
    if (arrival.kind === 'failed' || !context.deps.plan.advanced.mimeTypes.includes(pdfType)) return null
    if (arrival.status !== null && arrival.status >= 400) return null
    const guess = guessPdf(arrival)
    if (guess === 'no') return null
    const redirectVisit = await judgeRedirect(context, arrival.url, arrival)
    if (redirectVisit) return guess === 'yes' ? redirectVisit : null
    if (guess === 'maybe' && context.isOnce) return null
    if (guess === 'maybe' && !(await beginsAsPdf(pdfDeps.fetchFile, getVisitUrl(context.claim)))) return null
    return visitPdfFile(pdfDeps, context, arrival)
  }
}
