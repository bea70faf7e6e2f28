import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { writePdf } from '../../fixtures/pdf/write.ts'

// Many PDFs with pictures, two at once, in turns by three ways: by the pool that a worker uses, by the check alone (two processes
// that do nothing else), and by a thread for each file, which is how it was done before the pool. Milliseconds a file, and what
// was lost on the way.
//   npm run bench:pdf-many -- [--files 500] [--rounds 3] [--threads 100]

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '3' },
    /** Files of the third way, in each round: it is slow. */
    threads: { type: 'string', default: '100' },
    /** What a process of this bench does for another: its way, and every second file from 0 or 1. */
    way: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
})
const atOnce = 2
const scope = { wcag: ['wcag2a', 'wcag2aa'], bestPractices: true, pdfUa: true }

/** Documents that differ in length, depth and faults, each with something to photograph. */
const documentOf = (n: number): Uint8Array =>
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

/** The check without anything around it. @returns how many findings have a picture */
async function checkAlone(n: number): Promise<number> {
  const { findHits } = await import('../../packages/engine/src/pdf/check.ts')
  const { makeReport } = await import('../../packages/engine/src/pdf/report.ts')
  const { renderSpots } = await import('../../packages/engine/src/pdf/render.ts')
  const bytes = documentOf(n)
  const { facts, hits } = findHits(bytes)
  const report = makeReport(facts, hits, scope)
  await renderSpots(bytes, report, facts.pages.pages)
  return report.findings.filter(({ picture }) => picture !== null).length
}

type Round = { ms: number; checked: number; pictures: number; lost: string[] }
const print = (way: string, files: number, { ms, checked, pictures, lost }: Round) => {
  const each = `${(ms / files).toFixed(1)} ms a file`
  console.log(
    `${way}: ${each}, ${checked} of ${files} checked, ${pictures} with pictures, lost: ${lost.length}`,
  )
  for (const one of lost.slice(0, 5)) console.log(`  ${one}`)
}

async function byPool(files: number): Promise<Round> {
  const { checkPdf } = await import('../../packages/engine/src/pdf/process-pool.ts')
  const round: Round = { ms: 0, checked: 0, pictures: 0, lost: [] }
  const began = performance.now()
  const check = async (n: number) => {
    const outcome = await checkPdf(documentOf(n), { scope, withPictures: true })
    if (outcome.kind !== 'checked') return void round.lost.push(`${n}: ${outcome.trouble} ${outcome.detail}`)
    round.checked += 1
    if (outcome.report.findings.some(({ picture }) => picture !== null)) round.pictures += 1
  }
  await Promise.all(Array.from({ length: files }, (_, n) => check(n)))
  return { ...round, ms: performance.now() - began }
}

/** Two processes of this file, each with every second document. One that dies has lost its rest. */
async function byProcesses(way: 'alone' | 'threads', files: number): Promise<Round> {
  const round: Round = { ms: 0, checked: 0, pictures: 0, lost: [] }
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async (_, from) => {
      const child = fork(import.meta.filename, [
        '--way',
        way,
        '--from',
        String(from),
        '--files',
        String(files),
      ])
      child.on('message', (pictures: number) => {
        round.checked += 1
        if (pictures > 0) round.pictures += 1
      })
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (code !== 0) round.lost.push(`a process ended by ${signal ?? `code ${code}`}`)
    }),
  )
  return { ...round, ms: performance.now() - began }
}

async function work(files: number, from: number): Promise<void> {
  for (let n = from; n < files; n += atOnce) {
    if (values.way === 'alone') process.send!(await checkAlone(n))
    else {
      const [pictures] = (await once(new Worker(import.meta.filename, { workerData: n }), 'message')) as [
        number,
      ]
      process.send!(pictures)
    }
  }
  process.disconnect()
}

const files = Number(values.files)
if (!isMainThread) parentPort!.postMessage(await checkAlone(workerData as number), [])
else if (values.way !== undefined) await work(files, Number(values.from))
else
  for (let round = 1; round <= Number(values.rounds); round++) {
    console.log(`round ${round}`)
    print('pool', files, await byPool(files))
    print('the check alone', files, await byProcesses('alone', files))
    const threads = Math.min(files, Number(values.threads))
    if (threads > 0) print('a thread for each file', threads, await byProcesses('threads', threads))
  }
