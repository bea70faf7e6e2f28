import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { computeHealth } from '@clearway/contract/monitor/page/model.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { buildPdfScope, createPdfAnalysis, pdfUaOnlyScope } from '@clearway/engine/pdf/analyze.ts'
import * as z from 'zod/mini'
import type { ScanArguments } from './arguments.ts'
import { needsPictures } from './output.ts'
import { describeFileProblem } from './wrong-argument.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { collectOutcome, type CollectPage } from './report.ts'
import type { ReportPage } from './schema.ts'

/** Returns the PDF checks for the rules on the command line. */
export const getPdfScope = (scanArguments: ScanArguments) =>
  scanArguments.onlyPdfUa ? pdfUaOnlyScope : buildPdfScope(scanArguments.ruleSet)

/** Checks local PDF files sequentially. Unreadable files become failed pages with the reason. */
export async function checkFiles(scanArguments: ScanArguments, collectPage: CollectPage): Promise<ReportPage[]> {
  const analyzePdf = createPdfAnalysis(getPdfScope(scanArguments), needsPictures(scanArguments.outputs))
  const { pageTimeoutMs } = z.parse(AdvancedSettings, scanArguments.advanced)
  const filePages: ReportPage[] = []
  for (const file of scanArguments.files) {
    const startedAt = performance.now()
    const fileBytes = await readFile(file).catch(describeFileProblem)
    const pdfAnalysis =
      typeof fileBytes === 'string'
        ? ({ kind: 'failed', reason: 'bad-url', detail: `The file cannot be read: ${fileBytes}` } as const)
        : await analyzePdf({ url: `file:///${basename(file)}`, bytes: fileBytes, limitMs: pageTimeoutMs })
    const durationMs = Math.round(performance.now() - startedAt)
    const outcome: PageOutcome =
      pdfAnalysis.kind === 'failed'
        ? { ...pdfAnalysis, durationMs }
        : {
            kind: 'completed',
            finalUrl: file,
            httpStatus: null,
            mimeType: 'application/pdf',
            durationMs,
            title: pdfAnalysis.title,
            health: computeHealth(pdfAnalysis.findings.map(({ severity }) => severity)),
            findings: pdfAnalysis.findings,
            notices: pdfAnalysis.notices,
            content: null,
          }
    const visit = collectOutcome(file, outcome, { isNamed: true })
    filePages.push(visit.page)
    collectPage(visit)
  }
  return filePages
}
