import { standards, type RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { CheckPdf, PdfCheckResult } from '../crawl/visit/pdf.ts'
import type { PdfReport, PdfScope } from './report.ts'
import { checkPdf } from './process-pool.ts'
import type { PdfOutcome } from './task.ts'

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
  about.title ?? decodeURIComponent(URL.parse(url)?.pathname.split('/').at(-1)?.replaceAll('%', '%25') ?? '')

/** Rendered pages in document order, without duplicates. */
function listScreenshots({ findings }: PdfReport): Uint8Array[] {
  const pagesByImage = new Map<Uint8Array, number>()
  for (const { picture, spot } of findings) if (picture && spot) pagesByImage.set(picture.image, spot.page)
  return [...pagesByImage]
    .sort(([, firstPage], [, secondPage]) => firstPage - secondPage)
    .map(([image]) => image)
}

function toCheckResult(report: PdfReport, url: string): PdfCheckResult {
  return {
    kind: 'checked',
    title: getTitle(report, url),
    findings: report.findings,
    views: listScreenshots(report),
    modifiedAt: report.about.modifiedAt,
    links: report.links,
    content: buildContent(report),
    notices: report.isPartial ? ['pdf-partly-checked'] : [],
  }
}

/** Creates the PDF checker of one scan. */
export const openPdfChecker =
  (scope: PdfScope, withPictures: boolean): CheckPdf =>
  async ({ url, bytes, limitMs, signal }) => {
    const pdfOutcome = await checkPdf(bytes, {
      scope,
      withPictures,
      timeoutMs: limitMs,
      ...(signal ? { signal } : {}),
    })
    if (pdfOutcome.kind === 'checked') return toCheckResult(pdfOutcome.report, url)
    return { kind: 'failed', reason: reasonsByTrouble[pdfOutcome.trouble], detail: pdfOutcome.detail }
  }
