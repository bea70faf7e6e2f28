import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { writePdf } from '../../fixtures/pdf/write.ts'

// Checks many PDFs with images, two at once, alternating between three ways: the pool that a worker uses, the check alone (two
// processes that do nothing else), and a thread for each file, as before the pool. Prints milliseconds per file, and lost files.
//   npm run bench:pdf-many -- [--files 500] [--rounds 3] [--threads 100]

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '3' },
    /** Files of the third way, in each round: it is slow. */
    threads: { type: 'string', default: '100' },
    /** Work of a child process of this bench: its way, and every second file from 0 or 1. */
    way: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
})
const atOnce = 2
const scope = { wcag: ['wcag2a', 'wcag2aa'], bestPractices: true, pdfUa: true }

/** Creates documents that differ in length, depth and violations, each with something to capture. */
const createDocument = (n: number): Uint8Array =>
  writePdf({
    tags: [
      {
        type: 'Document',
        kids: [
          { type: `H${2 + (n % 4)}`, kids: [`Heading ${n}`] },
          ...Array.from({ length: 1 + (n % 40) }, (_, i) => ({ type: 'P', kids: [`Text ${n} ${i}`] })),
          { type: 'Figure', kids: ['x'] },
        ],
      },
    ],
    ...(n % 3 === 0 ? { xmp: null } : {}),
  })

/** Runs only the check. @returns the number of findings with a picture */
async function checkAlone(n: number): Promise<number> {
  const { findHits } = await import('../../packages/engine/src/pdf/check.ts')
  const { makeReport } = await import('../../packages/engine/src/pdf/report.ts')
  const { renderSpots } = await import('../../packages/engine/src/pdf/render.ts')
  const bytes = createDocument(n)
  const { facts, hits } = findHits(bytes)
  const report = makeReport(facts, hits, scope)
  await renderSpots(bytes, report, facts.pages.pages)
  return report.findings.filter(({ picture }) => picture !== null).length
}

type Round = { ms: number; checked: number; pictures: number; lostFiles: string[] }
const printRound = (method: string, files: number, { ms, checked, pictures, lostFiles }: Round) => {
  const each = `${(ms / files).toFixed(1)} ms a file`
  console.log(`${method}: ${each}, ${checked} of ${files} checked, ${pictures} with pictures, lost: ${lostFiles.length}`)
  for (const lostFile of lostFiles.slice(0, 5)) console.log(`  ${lostFile}`)
}

async function measurePool(files: number): Promise<Round> {
  const { checkPdf } = await import('../../packages/engine/src/pdf/process-pool.ts')
  const round: Round = { ms: 0, checked: 0, pictures: 0, lostFiles: [] }
  const began = performance.now()
  const checkFile = async (n: number) => {
    const outcome = await checkPdf(createDocument(n), { scope, withPictures: true })
    if (outcome.kind !== 'checked') return void round.lostFiles.push(`${n}: ${outcome.trouble} ${outcome.detail}`)
    round.checked += 1
    if (outcome.report.findings.some(({ picture }) => picture !== null)) round.pictures += 1
  }
  await Promise.all(Array.from({ length: files }, (_, n) => checkFile(n)))
  return { ...round, ms: performance.now() - began }
}

/** Runs two processes of this file, each with every second document. Documents of a crashed process are lost. */
async function measureProcesses(method: 'alone' | 'threads', files: number): Promise<Round> {
  const round: Round = { ms: 0, checked: 0, pictures: 0, lostFiles: [] }
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async (_, firstIndex) => {
      const child = fork(import.meta.filename, ['--way', method, '--from', String(firstIndex), '--files', String(files)])
      child.on('message', (pictures: number) => {
        round.checked += 1
        if (pictures > 0) round.pictures += 1
      })
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (code !== 0) round.lostFiles.push(`a process ended by ${signal ?? `code ${code}`}`)
    }),
  )
  return { ...round, ms: performance.now() - began }
}

async function checkDocuments(files: number, firstIndex: number): Promise<void> {
  for (let n = firstIndex; n < files; n += atOnce) {
    if (values.way === 'alone') process.send!(await checkAlone(n))
    else {
      const [pictures] = (await once(new Worker(import.meta.filename, { workerData: n }), 'message')) as [number]
      process.send!(pictures)
    }
  }
  process.disconnect()
}

const files = Number(values.files)
if (!isMainThread) parentPort!.postMessage(await checkAlone(workerData as number), [])
else if (values.way !== undefined) await checkDocuments(files, Number(values.from))
else
  for (let round = 1; round <= Number(values.rounds); round++) {
    console.log(`round ${round}`)
    printRound('pool', files, await measurePool(files))
    printRound('the check alone', files, await measureProcesses('alone', files))
    const threads = Math.min(files, Number(values.threads))
    if (threads > 0) printRound('a thread for each file', threads, await measureProcesses('threads', threads))
  }
