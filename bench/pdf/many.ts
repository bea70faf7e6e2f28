// Checks 500 PDFs with pictures three times over: milliseconds a file, and how many processes ended before their time.
//   node bench/pdf/many.ts [files] [rounds]
import { writePdf } from '../../fixtures/pdf/write.ts'
import { checkPdf, pdfProcesses } from '../../packages/engine/src/pdf/pool.ts'

const files = Number(process.argv[2] ?? 500)
const rounds = Number(process.argv[3] ?? 3)
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

for (let round = 1; round <= rounds; round++) {
  const began = performance.now()
  const pids = new Set<number>()
  let checked = 0
  let pictures = 0
  const lost: string[] = []
  await Promise.all(
    Array.from({ length: files }, async (_, n) => {
      const outcome = await checkPdf(documentOf(n), { scope, withPictures: true })
      for (const pid of pdfProcesses()) pids.add(pid)
      if (outcome.kind !== 'checked') return void lost.push(`${n}: ${outcome.trouble} ${outcome.detail}`)
      checked += 1
      if (outcome.report.findings.some(({ picture }) => picture !== null)) pictures += 1
    }),
  )
  const each = (performance.now() - began) / files
  console.log(
    `round ${round}: ${checked} of ${files} checked, ${pictures} with pictures, ${each.toFixed(1)} ms a file, ${pids.size} processes, lost: ${lost.length}`,
  )
  for (const one of lost.slice(0, 5)) console.log(`  ${one}`)
}
