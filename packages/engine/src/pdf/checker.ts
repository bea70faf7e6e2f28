import { standards, type RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { CheckPdf, PdfCheckResult } from '../crawl/visit/pdf.ts'
import type { PdfReport, PdfScope } from './report.ts'
import { checkPdf } from './pool.ts'
import type { PdfOutcome } from './task.ts'

/** What a rule set asks of PDFs. */
export const scopeOfRules = (ruleSet: RuleSet): PdfScope => ({
  wcag: standards[ruleSet.standard].tags,
  bestPractices: ruleSet.bestPractices,
  pdfUa: ruleSet.pdfUa,
})

/** The PDF/UA-1 profile and nothing else. */
export const onlyPdfUa: PdfScope = { wcag: null, bestPractices: false, pdfUa: true }

type Trouble = Extract<PdfOutcome, { kind: 'failed' }>['trouble']

/** The page's failure for each trouble with a file. */
const reasons: Readonly<Record<Trouble, FailureReason>> = {
  'not-a-pdf': 'pdf-damaged',
  damaged: 'pdf-damaged',
  'no-pages': 'pdf-damaged',
  locked: 'pdf-locked',
  limit: 'pdf-too-complex',
  timeout: 'timeout-command',
  crashed: 'backend',
}

/** The JSON that is kept as the content of a PDF: `{ about, tags }`. */
const contentOf = ({ about, tags }: PdfReport): string => JSON.stringify({ about, tags })

const titleOf = ({ about }: PdfReport, url: string): string =>
  about.title ?? decodeURIComponent(URL.parse(url)?.pathname.split('/').at(-1)?.replaceAll('%', '%25') ?? '')

/** Each drawn page once, in the order of the document. */
function viewsOf({ findings }: PdfReport): Uint8Array[] {
  const pages = new Map<Uint8Array, number>()
  for (const { picture, spot } of findings) if (picture && spot) pages.set(picture.image, spot.page)
  return [...pages].sort(([, a], [, b]) => a - b).map(([image]) => image)
}

function toChecked(report: PdfReport, url: string): PdfCheckResult {
  return {
    kind: 'checked',
    title: titleOf(report, url),
    findings: report.findings,
    views: viewsOf(report),
    modifiedAt: report.about.modifiedAt,
    links: report.links,
    content: contentOf(report),
    notices: report.isPartial ? ['pdf-partly-checked'] : [],
  }
}

/** A checker for one scan. */
export const pdfChecker =
  (scope: PdfScope, withPictures: boolean): CheckPdf =>
  async ({ url, bytes, limitMs, signal }) => {
    const outcome = await checkPdf(bytes, {
      scope,
      withPictures,
      timeoutMs: limitMs,
      ...(signal ? { signal } : {}),
    })
    if (outcome.kind === 'checked') return toChecked(outcome.report, url)
    return { kind: 'failed', reason: reasons[outcome.trouble], detail: outcome.detail }
  }
