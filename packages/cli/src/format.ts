import { type FormatContext, plainStyle } from './format-context.ts'
import { formatGitlabAccessibility, formatGitlabCodeQuality } from './gitlab-format.ts'
import { formatHtml } from './html-format.ts'
import { formatJunit } from './junit-format.ts'
import { formatMarkdown } from './markdown-format.ts'
import type { ReportFormat } from './options.ts'
import { englishTexts } from './rule-text.ts'
import { formatSarif } from './sarif-format.ts'
import type { Report } from './schema.ts'
import { formatText } from './text-format.ts'

const plainContext: FormatContext = { texts: englishTexts, style: plainStyle, pictures: new Map() }

const formatters: Record<ReportFormat, (report: Report, context: FormatContext) => string> = {
  text: formatText,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  sarif: formatSarif,
  junit: formatJunit,
  html: formatHtml,
  markdown: formatMarkdown,
  'gitlab-accessibility': formatGitlabAccessibility,
  'gitlab-codequality': formatGitlabCodeQuality,
}

/** Formats a report, by default in English, without emphasis and pictures. */
export const formatReport = (format: ReportFormat, report: Report, context: Partial<FormatContext> = {}): string =>
  formatters[format](report, { ...plainContext, ...context })
