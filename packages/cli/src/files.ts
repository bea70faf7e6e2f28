import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { healthOf } from '@clearway/contract/monitor/page/model.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { onlyPdfUa, pdfChecker, scopeOfRules } from '@clearway/engine/pdf/checker.ts'
import * as z from 'zod/mini'
import type { ScanArguments } from './arguments.ts'
import { reportPage } from './report.ts'
import type { ReportPage } from './schema.ts'

/** How PDFs are checked by the rules that the command line names. */
export const scopeOf = (args: ScanArguments) => (args.onlyPdfUa ? onlyPdfUa : scopeOfRules(args.ruleSet))

/** Checks PDF files of this machine, one after another. What cannot be read is a failed page, with the reason. */
export async function checkFiles(
  args: ScanArguments,
  onPage: (page: ReportPage) => void,
): Promise<ReportPage[]> {
  const check = pdfChecker(scopeOf(args), false)
  const { pageTimeoutMs } = z.parse(AdvancedSettings, args.advanced)
  const pages: ReportPage[] = []
  for (const file of args.files) {
    const began = performance.now()
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => error.code ?? 'EIO')
    const checked =
      typeof bytes === 'string'
        ? ({ kind: 'failed', reason: 'bad-url', detail: `The file cannot be read: ${bytes}` } as const)
        : await check({ url: `file:///${basename(file)}`, bytes, limitMs: pageTimeoutMs })
    const durationMs = Math.round(performance.now() - began)
    const page = reportPage(
      file,
      checked.kind === 'failed'
        ? { ...checked, durationMs }
        : {
            kind: 'completed',
            finalUrl: file,
            httpStatus: null,
            mimeType: 'application/pdf',
            durationMs,
            title: checked.title,
            health: healthOf(checked.findings.map(({ severity }) => severity)),
            findings: checked.findings,
            notices: checked.notices,
            content: null,
          },
    )
    pages.push(page)
    onPage(page)
  }
  return pages
}
