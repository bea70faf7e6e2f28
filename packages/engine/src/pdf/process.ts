import { Worker } from 'node:worker_threads'
import { findHits } from './check.ts'
import { PdfError } from './object/value.ts'
import { makeReport } from './report.ts'
import { renderSpots } from './render.ts'
import type { PdfOutcome, PdfTask } from './task.ts'

// The program of a process that checks PDFs, one after another, for the pool that started it.

async function check({ bytes, scope, withPictures }: PdfTask): Promise<PdfOutcome> {
  try {
    const { facts, hits } = findHits(bytes)
    if (facts.pages.pages.length === 0)
      return { kind: 'failed', trouble: 'no-pages', detail: 'The file has no pages' }
    const report = makeReport(facts, hits, scope)
    if (withPictures) await renderSpots(bytes, report, facts.pages.pages)
    return { kind: 'checked', report }
  } catch (error) {
    if (error instanceof PdfError) return { kind: 'failed', trouble: error.trouble, detail: error.message }
    // A fault of ours with this one file: the process goes on.
    const detail = error instanceof Error ? error.message.split('\n')[0]! : String(error)
    return { kind: 'failed', trouble: 'crashed', detail }
  }
}

process.on('message', (task: PdfTask) => void check(task).then((outcome) => process.send?.(outcome)))
// The pool has gone, or has no more use for it.
process.on('disconnect', () => process.exit(0))

// Also while a file keeps this thread: another one sees that the pool's process is gone, and ends all.
const watchdog = `const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500)`
new Worker(watchdog, { eval: true, execArgv: [] }).unref()
