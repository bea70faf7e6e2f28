import { parentPort, workerData } from 'node:worker_threads'
import { findHits } from './check.ts'
import { PdfError } from './object/value.ts'
import { makeReport, type PdfScope } from './report.ts'
import { renderSpots } from './render.ts'

/** What the thread is given: the file's bytes and what to tell of it. */
export type PdfTask = { bytes: Uint8Array; scope: PdfScope; withPictures: boolean }

async function run({ bytes, scope, withPictures }: PdfTask): Promise<unknown> {
  try {
    const { facts, hits } = findHits(bytes)
    if (facts.pages.pages.length === 0)
      return { kind: 'failed', trouble: 'no-pages', detail: 'The file has no pages' }
    const report = makeReport(facts, hits, scope)
    if (withPictures) await renderSpots(bytes, report, facts.pages.pages)
    return { kind: 'checked', report }
  } catch (error) {
    if (error instanceof PdfError) return { kind: 'failed', trouble: error.trouble, detail: error.message }
    throw error
  }
}

parentPort!.postMessage(await run(workerData as PdfTask), [])
