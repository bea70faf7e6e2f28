import { healthOf } from '@clearway/contract/monitor/page/model.ts'
import type { FailureReason, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { Finding } from '../../outcome.ts'
import {
  exclude,
  fail,
  left,
  since,
  type Answered,
  type VisitContext,
  type PdfVisit,
  type Visit,
} from './context.ts'
import type { FetchFile } from '../../guard/fetch.ts'
import { redirected } from './judge.ts'

/** What a check of a PDF comes to. */
export type CheckedPdf =
  | {
      kind: 'checked'
      title: string
      findings: Finding[]
      /** The drawn pages on which something was found, in their order. */
      views: Uint8Array[]
      /** When the document says that it was last changed, ISO 8601; null when it does not. */
      modifiedAt: string | null
      links: string[]
      /** What it says of itself and its tags, as JSON. */ content: string
      notices: PageNotice[]
    }
  | { kind: 'failed'; reason: FailureReason; detail: string }

/** Checks a PDF; never rejects for what is in it. */
export type CheckPdf = (pdf: {
  url: string
  bytes: Buffer
  limitMs: number
  signal?: AbortSignal
}) => Promise<CheckedPdf>

export type PdfDeps = {
  fetchFile: FetchFile
  check: CheckPdf | null
  /** Counts one more PDF of the run; false when it has had its number. */
  admit: (limit: number) => Promise<boolean>
}

const pdfType = 'application/pdf'
const mostBytes = 100 * 1024 * 1024
const limitMs = 60_000

/** Why a date leaves a PDF out; null when it stays in, also without a date. */
function dateReason(settings: AdvancedSettings, modified: string | null | undefined): string | null {
  const at = modified ? Date.parse(modified) : Number.NaN
  if (Number.isNaN(at)) return null
  const day = new Date(at).toISOString().slice(0, 10)
  const { pdfModifiedFrom: from, pdfModifiedTo: to } = settings
  if (from !== null && day < from) return `Last changed on ${day}, before ${from}`
  if (to !== null && day > to) return `Last changed on ${day}, after ${to}`
  return null
}

async function checkPdf(
  deps: PdfDeps,
  check: CheckPdf,
  context: VisitContext,
  answered: Answered,
): Promise<Visit> {
  const { advanced } = context.deps.plan
  const file = await deps.fetchFile(context.claim.url, mostBytes)
  if (!file.ok) return fail(context, file.reason, file.detail)
  const late = dateReason(advanced, file.lastModified)
  if (late !== null) return exclude(context, 'pdf-date', late, answered)
  if (!looksLikePdf(file.bytes)) return fail(context, ...notPdf(file.bytes))
  const checked = await check({
    url: context.claim.url,
    bytes: file.bytes,
    limitMs: Math.max(1000, left(context, limitMs)),
    ...(context.signal ? { signal: context.signal } : {}),
  })
  if (checked.kind === 'failed') return fail(context, checked.reason, checked.detail)
  const dated = file.lastModified === null ? dateReason(advanced, checked.modifiedAt) : null
  if (dated !== null) return exclude(context, 'pdf-date', dated, answered)
  const limit = advanced.pdfTargetCount
  if (limit !== null && !(await deps.admit(limit)))
    return exclude(context, 'pdf-count', `The run has had ${limit} PDFs`, answered)
  return {
    outcome: {
      kind: 'completed',
      finalUrl: answered.url,
      httpStatus: answered.status,
      mimeType: pdfType,
      durationMs: since(context),
      title: checked.title.slice(0, 1000),
      health: healthOf(checked.findings.map(({ severity }) => severity)),
      findings: checked.findings,
      notices: checked.notices,
      content: advanced.savePageContent ? checked.content : null,
      views: checked.views,
    },
    links: checked.links.map((url) => ({ url, kind: 'anchor' as const })),
    keepTab: answered.keepTab ?? true,
  }
}

/** The mark may come after some other bytes, as readers allow. */
const looksLikePdf = (bytes: Buffer): boolean => bytes.subarray(0, 1024).includes('%PDF-')

function notPdf(bytes: Buffer): [FailureReason, string] {
  if (bytes.length === 0) return ['pdf-damaged', 'The file is empty']
  if (/^\s*(<!doctype html|<html|<\?xml|<!--)/i.test(bytes.toString('utf8', 0, 512)))
    return ['html-instead-of-pdf', 'The URL is that of a PDF, and its content is a web page']
  return ['pdf-damaged', 'The file does not begin as a PDF does']
}

/** Types that servers give to files that they do not know. */
const vagueTypes = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-pdf',
  'application/download',
])
const isNamedPdf = (url: string): boolean => /\.pdf$/i.test(URL.parse(url)?.pathname ?? '')

/** Makes the visitor of PDFs. Which of them a scan wants is decided here; what is wrong with one, by `check`. */
export function openPdfVisit(deps: PdfDeps): PdfVisit {
  return async (context, arrival) => {
    if (arrival.kind === 'failed') return null
    const isNamed = isNamedPdf(arrival.url)
    const isPage = isNamed && arrival.mimeType === 'text/html' && arrival.status === 200
    const isVague = isNamed && vagueTypes.has(arrival.mimeType ?? 'application/octet-stream')
    if (arrival.mimeType !== pdfType && !isPage && !isVague) return null
    if (arrival.status !== null && arrival.status >= 400) return null
    if (!context.deps.plan.advanced.mimeTypes.includes(pdfType) || !deps.check) return null
    const elsewhere = redirected(context, arrival.url, arrival)
    return elsewhere ?? checkPdf(deps, deps.check, context, arrival)
  }
}
