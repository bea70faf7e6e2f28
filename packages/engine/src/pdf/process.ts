import { Worker } from 'node:worker_threads'
import { findHits } from './check.ts'
import { PdfError } from './object/value.ts'
import { buildReport } from './report.ts'
import { renderSpots } from './render.ts'
import type { PdfOutcome, PdfTask } from './task.ts'

// Entry point of a process that checks PDFs sequentially for the pool that started it. Its argument is the id of the pool's process.

async function runPdfTask({ bytes, scope, withPictures }: PdfTask): Promise<PdfOutcome> {
  try {
    const { facts, hits } = findHits(bytes)
    if (facts.pages.pages.length === 0) return { kind: 'failed', trouble: 'no-pages', detail: 'The file has no pages' }
    const pdfReport = buildReport(facts, hits, scope)
    if (withPictures) await renderSpots(bytes, pdfReport, facts.pages.pages)
    return { kind: 'checked', report: pdfReport }
  } catch (error) {
    if (error instanceof PdfError) return { kind: 'failed', trouble: error.trouble, detail: error.message }
    // An internal error for this file; the process continues.
    const errorSummary = error instanceof Error ? error.message.split('\n')[0]! : String(error)
    return { kind: 'failed', trouble: 'crashed', detail: errorSummary }
  }
}

process.on('message', (task: PdfTask) => void runPdfTask(task).then((outcome) => process.send?.(outcome)))
// The pool has ended, or no longer needs this process.
process.on('disconnect', () => process.exit(0))

// Also works while a file blocks this thread: a worker thread detects the loss of the pool's process and kills this one. The pool
// gives its id: its process may be lost before this line.
const watchdogScript = `setInterval(() => process.ppid === ${Number(process.argv[2])} || process.kill(process.pid, 'SIGKILL'), 500)`
new Worker(watchdogScript, { eval: true, execArgv: [] }).unref()
