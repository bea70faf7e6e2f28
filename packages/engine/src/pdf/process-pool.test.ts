/** @module-tag slow */
import { computeHealth } from '@clearway/contract/monitor/page/model.ts'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { assemblePdf, writePdf } from '../../../../fixtures/pdf/write.ts'
import { findHits } from './check.ts'
import { PdfError } from './object/value.ts'
import { checkPdf, listPdfProcesses } from './process-pool.ts'
import type { PdfOutcome } from './task.ts'

/** Returns true if a process is running; a zombie is not. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const fullScope = { wcag: ['wcag2a', 'wcag2aa'], bestPractices: true, pdfUa: true }
const runCheck = (bytes: Uint8Array, timeoutMs = 60_000): Promise<PdfOutcome> =>
  checkPdf(bytes, { scope: fullScope, withPictures: true, timeoutMs })
const toLatin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const getEnd = (outcome: PdfOutcome): string => (outcome.kind === 'checked' ? 'checked' : outcome.trouble)

const validPdf = writePdf({ tags: [{ type: 'Document', kids: [{ type: 'P', kids: ['Hello'] }] }] })
const buildPage = (content: string, objects: Record<number, string> = {}): Uint8Array =>
  assemblePdf(
    {
      1: '<</Type /Catalog /Pages 2 0 R>>',
      2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
      3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources <</XObject <</X0 10 0 R>>>>>>',
      4: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      ...objects,
    },
    '/Root 1 0 R',
  )

const buildPackedStream = (data: Buffer, dictionaryEntries = ''): string =>
  `<</Filter /FlateDecode ${dictionaryEntries} /Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`

/** A megabyte of zeros, compressed twice: a gigabyte when unpacked. */
const zipBomb = deflateSync(Buffer.alloc(200 * 2 ** 20), { level: 9 })

/** Forms that draw each other ten times: ten to the power of ten operators. */
const nestedForms = Object.fromEntries(
  Array.from({ length: 10 }, (_, i) => {
    const formContent = i === 9 ? '0 0 m 1 1 l S' : '/X Do '.repeat(10)
    return [
      10 + i,
      `<</Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources <</XObject <</X ${11 + i} 0 R>>>> /Length ${formContent.length}>>\nstream\n${formContent}\nendstream`,
    ]
  }),
)
const rowNumbers = Array.from({ length: 300 }, (_, i) => i + 100)

const hostileFiles: Record<string, { bytes: Uint8Array; ends: string }> = {
  nothing: { bytes: new Uint8Array(0), ends: 'not-a-pdf' },
  text: { bytes: toLatin1('Hello'), ends: 'not-a-pdf' },
  'only a header': { bytes: toLatin1('%PDF-1.7\n'), ends: 'damaged' },
  'no pages': {
    bytes: assemblePdf({ 1: '<</Type /Catalog /Pages 2 0 R>>', 2: '<</Type /Pages /Kids [] /Count 0>>' }, '/Root 1 0 R'),
    ends: 'no-pages',
  },
  'pages in a circle': {
    bytes: assemblePdf({ 1: '<</Type /Catalog /Pages 2 0 R>>', 2: '<</Type /Pages /Kids [2 0 R 2 0 R]>>' }, '/Root 1 0 R'),
    ends: 'no-pages',
  },
  'references in a circle': { bytes: assemblePdf({ 1: '2 0 R', 2: '1 0 R' }, '/Root 1 0 R'), ends: 'damaged' },
  'nested without end': {
    bytes: toLatin1(`%PDF-1.7\n1 0 obj\n${'['.repeat(3_000_000)}\nendobj\n`),
    ends: 'damaged',
  },
  'a bomb of content': { bytes: buildPage('', { 4: buildPackedStream(zipBomb) }), ends: 'limit' },
  'a bomb in a bomb': {
    bytes: buildPage('', { 4: buildPackedStream(deflateSync(zipBomb)).replace('/FlateDecode', '[/FlateDecode /FlateDecode]') }),
    ends: 'limit',
  },
  'a bomb of objects': {
    bytes: buildPage('', { 3: '5 0 R', 5: buildPackedStream(zipBomb, '/Type /ObjStm /N 1 /First 4') }),
    ends: 'any',
  },
  'a thousand million laughs': { bytes: buildPage('/X0 Do', nestedForms), ends: 'limit' },
  'objects without end': { bytes: toLatin1(`%PDF-1.7\n${'1 0 obj\n'.repeat(500_000)}`), ends: 'any' },
  'spans as wide as the world': {
    bytes: assemblePdf(
      {
        1: '<</Type /Catalog /Pages 2 0 R /StructTreeRoot 5 0 R>>',
        2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
        3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>>',
        5: '<</Type /StructTreeRoot /K 6 0 R>>',
        6: `<</S /Table /P 5 0 R /K [${rowNumbers.map((rowNumber) => `${rowNumber} 0 R`).join(' ')}]>>`,
        ...Object.fromEntries(
          rowNumbers.map((rowNumber) => [
            rowNumber,
            `<</S /TR /P 6 0 R /K <</S /TD /P ${rowNumber} 0 R /A <</O /Table /ColSpan 99999999 /RowSpan 99999999>>>>>>`,
          ]),
        ),
      },
      '/Root 1 0 R',
    ),
    ends: 'checked',
  },
  'a tree of tags that holds itself': {
    bytes: assemblePdf(
      {
        1: '<</Type /Catalog /Pages 2 0 R /StructTreeRoot 5 0 R>>',
        2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
        3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>>',
        5: '<</Type /StructTreeRoot /K 6 0 R /ParentTree 7 0 R /RoleMap <</P /P>>>>',
        6: '<</S /P /P 6 0 R /K [6 0 R 6 0 R]>>',
        7: '<</Kids [7 0 R]>>',
      },
      '/Root 1 0 R',
    ),
    ends: 'checked',
  },
  'entities in its metadata': { bytes: writePdf({ xmp: '<!DOCTYPE a [<!ENTITY b "&b;&b;">]><a>&b;</a>' }), ends: 'checked' },
  'a font of noise': {
    bytes: buildPage('BT /F0 9 Tf (abc) Tj ET', {
      3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources <</Font <</F0 20 0 R>>>>>>',
      20: '<</Type /Font /Subtype /TrueType /BaseFont /A /FontDescriptor 21 0 R /FirstChar 97 /Widths [9]>>',
      21: '<</FontName /A /Flags 4 /FontFile2 22 0 R>>',
      22: `<</Length 2000>>\nstream\n\0\x01\0\0${'\xff'.repeat(1996)}\nendstream`,
    }),
    ends: 'checked',
  },
}

describe('a hostile file', () => {
  it.each(Object.entries(hostileFiles))('%s', async (_, { bytes, ends: expectedEnd }) => {
    const actualEnd = getEnd(await runCheck(bytes))
    if (expectedEnd === 'any') expect(['checked', 'damaged', 'no-pages', 'limit']).toContain(actualEnd)
    else expect(actualEnd).toBe(expectedEnd)
  })

  it('ends with a reason wherever it is truncated or changed', () => {
    const errorKinds = new Set<string>()
    for (let i = 1; i <= 400; i++) {
      const changedBytes = Uint8Array.from(validPdf)
      const changeOffset = Math.floor((validPdf.length * i) / 401)
      if (i % 2) changedBytes[changeOffset] = changedBytes[changeOffset]! ^ (1 + (i % 255))
      try {
        findHits(i % 2 ? changedBytes : changedBytes.subarray(0, changeOffset))
      } catch (error) {
        errorKinds.add(error instanceof PdfError ? error.trouble : String(error))
      }
    }
    expect([...errorKinds].filter((errorKind) => !['damaged', 'not-a-pdf', 'locked'].includes(errorKind))).toEqual([])
  })

  it('is stopped at its time limit', async () => {
    const outcome = await checkPdf(buildPage('/X0 Do', nestedForms), { scope: fullScope, withPictures: false, timeoutMs: 1 })
    expect(outcome).toMatchObject({ kind: 'failed', trouble: 'timeout' })
  })
})

it('reports the location of a fault and shows its page', async () => {
  const outcome = await runCheck(
    writePdf({
      tags: [
        {
          type: 'Document',
          kids: [
            { type: 'H2', kids: ['Too low'] },
            { type: 'Figure', kids: ['x'] },
          ],
        },
      ],
    }),
  )
  if (outcome.kind !== 'checked') throw new Error(outcome.detail)
  const { findings, about, tags } = outcome.report
  expect(about).toMatchObject({ pages: 1, title: 'A title', language: 'en', isTagged: true, claimsPdfUa: true })
  expect(tags).toMatchObject([{ type: 'Document', kids: [{ type: 'H2', text: 'Too low', page: 1 }, { type: 'Figure' }] }])
  expect(computeHealth(findings.map(({ severity }) => severity))).toBe('critical')
  const headingFinding = findings.find(({ rule }) => rule === 'pdf-heading-skip')!
  expect(headingFinding.target).toEqual(['page 1, Document/H2'])
  expect(headingFinding.tags).toContain('pdfua1-7.4.2-1')
  expect(Buffer.from(headingFinding.picture!.image).toString('latin1', 1, 4)).toBe('PNG')
  // The text starts 72 points from the left and 32 from the top of a page rendered 720 pixels wide.
  const { x, y, width } = headingFinding.picture!.box
  expect([x > 70 && x < 95, y > 15 && y < 45, width > 30]).toEqual([true, true, true])
})

describe('the checker processes', () => {
  it('a file that waits behind slow ones ends at its time limit or when aborted', async () => {
    const slowChecks = Array.from({ length: 2 }, () => runCheck(buildPage('/X0 Do', nestedForms), 5000))
    const shortCheck = checkPdf(validPdf, { scope: fullScope, withPictures: false, timeoutMs: 50 })
    const stopController = new AbortController()
    const abortedCheck = checkPdf(validPdf, {
      scope: fullScope,
      withPictures: false,
      timeoutMs: 30_000,
      signal: stopController.signal,
    })
    stopController.abort()
    const startedAt = performance.now()
    expect([getEnd(await shortCheck), getEnd(await abortedCheck)]).toEqual(['timeout', 'timeout'])
    expect(performance.now() - startedAt).toBeLessThan(1000)
    await Promise.all(slowChecks)
    expect(getEnd(await runCheck(validPdf))).toBe('checked')
  }, 60_000)

  // A file that blocks the thread as soon as the process reads files.
  const blockingModule = `import { writeSync } from 'node:fs'
    process.on('newListener', (name) => name === 'message' && queueMicrotask(() => { writeSync(1, 'busy'); for (;;); }))`

  it.each([
    ['killed while they are busy', 'setInterval(() => {}, 1000)'],
    ['killed before they are ready', "process.kill(process.pid, 'SIGKILL')"],
  ])(
    'do not outlive a worker that is %s',
    async (_, laterScript) => {
      const blockingUrl = `data:text/javascript,${encodeURIComponent(blockingModule)}`
      const parentProcess = spawn(process.execPath, [
        '--input-type=module',
        '-e',
        `import { fork } from 'node:child_process'
       const child = fork(new URL('${new URL('./process.ts', import.meta.url).href}'), [String(process.pid)],
         { execArgv: ['--no-warnings', '--import', '${blockingUrl.replaceAll("'", '%27')}'] })
       process.stdout.write(child.pid + ' ')
       ${laterScript}`,
      ])
      let output = ''
      parentProcess.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
      await expect.poll(() => output, { timeout: 60_000 }).toMatch(/^\d+ busy$/)
      parentProcess.kill('SIGKILL')
      await expect.poll(() => isAlive(Number.parseInt(output)), { timeout: 10_000 }).toBe(false)
    },
    90_000,
  )

  const buildFaulty = (title: string): Uint8Array =>
    writePdf({ tags: [{ type: 'Document', kids: [{ type: 'H2', kids: [title] }] }] })

  it('check many files with pictures in succession without losing one', async () => {
    const pidsBefore = new Set(listPdfProcesses())
    const seenPids = new Set<number>()
    const fileChecks = Array.from({ length: 120 }, (_, i) => async () => {
      // The last one waits for all others.
      const outcome = await runCheck(buildFaulty(`Title ${i}`), 110_000)
      for (const pid of listPdfProcesses()) if (!pidsBefore.has(pid)) seenPids.add(pid)
      return outcome.kind === 'checked' && outcome.report.findings.some(({ picture }) => picture !== null)
    })
    const checkResults = await Promise.all(fileChecks.map((runFile) => runFile()))
    expect(checkResults.filter(Boolean)).toHaveLength(120)
    // Two at a time, each replaced only because of its age.
    expect(seenPids.size).toBeLessThanOrEqual(2)
  }, 120_000)

  it('a file whose process is killed is checked by a new one', async () => {
    const slowCheck = runCheck(buildPage('/X0 Do', nestedForms), 50_000)
    const killTimer = setInterval(() => {
      const [pid] = listPdfProcesses()
      if (pid === undefined) return
      clearInterval(killTimer)
      for (const otherPid of listPdfProcesses()) process.kill(otherPid, 'SIGKILL')
    }, 50)
    expect(getEnd(await slowCheck)).toBe('limit')
    clearInterval(killTimer)
    expect(getEnd(await runCheck(validPdf))).toBe('checked')
  })

  it('a file that crashes every process fails without affecting other files', async () => {
    const killTimer = setInterval(() => {
      for (const pid of listPdfProcesses()) process.kill(pid, 'SIGKILL')
    }, 20)
    const outcome = await runCheck(buildPage('/X0 Do', nestedForms))
    clearInterval(killTimer)
    expect(outcome).toMatchObject({ kind: 'failed', trouble: 'crashed' })
    expect(getEnd(await runCheck(validPdf))).toBe('checked')
  })

  it('an untrusted file cannot read our environment', () => {
    for (const pid of listPdfProcesses()) expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/PATH=|CLEARWAY/)
    expect(listPdfProcesses().length).toBeGreaterThan(0)
  })
})
