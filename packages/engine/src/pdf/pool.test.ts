import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { assemble, writePdf } from '../../../../fixtures/pdf/write.ts'
import { findHits } from './check.ts'
import { PdfError } from './object/value.ts'
import { checkPdf, pdfProcesses } from './pool.ts'
import type { PdfOutcome } from './task.ts'

/** Whether a process runs: one that has ended and is not yet taken note of does not. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const scope = { wcag: ['wcag2a', 'wcag2aa'], bestPractices: true, pdfUa: true }
const check = (bytes: Uint8Array, timeoutMs = 20_000): Promise<PdfOutcome> =>
  checkPdf(bytes, { scope, withPictures: true, timeoutMs })
const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const endOf = (outcome: PdfOutcome): string => (outcome.kind === 'checked' ? 'checked' : outcome.trouble)

const whole = writePdf({ tags: [{ type: 'Document', kids: [{ type: 'P', kids: ['Hello'] }] }] })
const pageOf = (content: string, objects: Record<number, string> = {}): Uint8Array =>
  assemble(
    {
      1: '<</Type /Catalog /Pages 2 0 R>>',
      2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
      3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources <</XObject <</X0 10 0 R>>>>>>',
      4: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      ...objects,
    },
    '/Root 1 0 R',
  )

const packed = (data: Buffer, entries = ''): string =>
  `<</Filter /FlateDecode ${entries} /Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`

/** A megabyte of zeros packed twice over is a gigabyte when it is unpacked. */
const bomb = deflateSync(Buffer.alloc(200 * 2 ** 20), { level: 9 })

/** Forms that draw each other ten times: ten to the tenth of operators. */
const laughs = Object.fromEntries(
  Array.from({ length: 10 }, (_, i) => {
    const content = i === 9 ? '0 0 m 1 1 l S' : '/X Do '.repeat(10)
    return [
      10 + i,
      `<</Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources <</XObject <</X ${11 + i} 0 R>>>> /Length ${content.length}>>\nstream\n${content}\nendstream`,
    ]
  }),
)
const spans = Array.from({ length: 300 }, (_, i) => i + 100)

const hostile: Record<string, { bytes: Uint8Array; ends: string }> = {
  nothing: { bytes: new Uint8Array(0), ends: 'not-a-pdf' },
  text: { bytes: latin('Hello'), ends: 'not-a-pdf' },
  'only a header': { bytes: latin('%PDF-1.7\n'), ends: 'damaged' },
  'no pages': {
    bytes: assemble(
      { 1: '<</Type /Catalog /Pages 2 0 R>>', 2: '<</Type /Pages /Kids [] /Count 0>>' },
      '/Root 1 0 R',
    ),
    ends: 'no-pages',
  },
  'pages in a circle': {
    bytes: assemble(
      { 1: '<</Type /Catalog /Pages 2 0 R>>', 2: '<</Type /Pages /Kids [2 0 R 2 0 R]>>' },
      '/Root 1 0 R',
    ),
    ends: 'no-pages',
  },
  'references in a circle': { bytes: assemble({ 1: '2 0 R', 2: '1 0 R' }, '/Root 1 0 R'), ends: 'damaged' },
  'nested without end': {
    bytes: latin(`%PDF-1.7\n1 0 obj\n${'['.repeat(3_000_000)}\nendobj\n`),
    ends: 'damaged',
  },
  'a bomb of content': { bytes: pageOf('', { 4: packed(bomb) }), ends: 'limit' },
  'a bomb in a bomb': {
    bytes: pageOf('', {
      4: packed(deflateSync(bomb)).replace('/FlateDecode', '[/FlateDecode /FlateDecode]'),
    }),
    ends: 'limit',
  },
  'a bomb of objects': {
    bytes: pageOf('', { 3: '5 0 R', 5: packed(bomb, '/Type /ObjStm /N 1 /First 4') }),
    ends: 'any',
  },
  'a thousand million laughs': { bytes: pageOf('/X0 Do', laughs), ends: 'limit' },
  'objects without end': { bytes: latin(`%PDF-1.7\n${'1 0 obj\n'.repeat(500_000)}`), ends: 'any' },
  'spans as wide as the world': {
    bytes: assemble(
      {
        1: '<</Type /Catalog /Pages 2 0 R /StructTreeRoot 5 0 R>>',
        2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
        3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>>',
        5: '<</Type /StructTreeRoot /K 6 0 R>>',
        6: `<</S /Table /P 5 0 R /K [${spans.map((n) => `${n} 0 R`).join(' ')}]>>`,
        ...Object.fromEntries(
          spans.map((n) => [
            n,
            `<</S /TR /P 6 0 R /K <</S /TD /P ${n} 0 R /A <</O /Table /ColSpan 99999999 /RowSpan 99999999>>>>>>`,
          ]),
        ),
      },
      '/Root 1 0 R',
    ),
    ends: 'checked',
  },
  'a tree of tags that holds itself': {
    bytes: assemble(
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
  'entities in its metadata': {
    bytes: writePdf({ xmp: '<!DOCTYPE a [<!ENTITY b "&b;&b;">]><a>&b;</a>' }),
    ends: 'checked',
  },
  'a font of noise': {
    bytes: pageOf('BT /F0 9 Tf (abc) Tj ET', {
      3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources <</Font <</F0 20 0 R>>>>>>',
      20: '<</Type /Font /Subtype /TrueType /BaseFont /A /FontDescriptor 21 0 R /FirstChar 97 /Widths [9]>>',
      21: '<</FontName /A /Flags 4 /FontFile2 22 0 R>>',
      22: `<</Length 2000>>\nstream\n\0\x01\0\0${'\xff'.repeat(1996)}\nendstream`,
    }),
    ends: 'checked',
  },
}

describe('a file made to hurt', () => {
  it.each(Object.entries(hostile))('%s', async (_, { bytes, ends: expected }) => {
    const outcome = endOf(await check(bytes))
    if (expected === 'any') expect(['checked', 'damaged', 'no-pages', 'limit']).toContain(outcome)
    else expect(outcome).toBe(expected)
  })

  it('ends in a reason, wherever it is cut or changed', () => {
    const seen = new Set<string>()
    for (let i = 1; i <= 400; i++) {
      const bytes = Uint8Array.from(whole)
      const at = Math.floor((whole.length * i) / 401)
      if (i % 2) bytes[at] = bytes[at]! ^ (1 + (i % 255))
      try {
        findHits(i % 2 ? bytes : bytes.subarray(0, at))
      } catch (error) {
        seen.add(error instanceof PdfError ? error.trouble : String(error))
      }
    }
    expect([...seen].filter((one) => !['damaged', 'not-a-pdf', 'locked'].includes(one))).toEqual([])
  })

  it('is stopped when its time is up', async () => {
    const outcome = await checkPdf(pageOf('/X0 Do', laughs), { scope, withPictures: false, timeoutMs: 1 })
    expect(outcome).toMatchObject({ kind: 'failed', trouble: 'timeout' })
  })
})

it('tells where a fault is, and shows the page', async () => {
  const outcome = await check(
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
  const { findings, about, tags, health } = outcome.report
  expect(about).toMatchObject({
    pages: 1,
    title: 'A title',
    language: 'en',
    isTagged: true,
    claimsPdfUa: true,
  })
  expect(tags).toMatchObject([
    { type: 'Document', kids: [{ type: 'H2', text: 'Too low', page: 1 }, { type: 'Figure' }] },
  ])
  expect(health).toBe('critical')
  const heading = findings.find(({ rule }) => rule === 'pdf-heading-skip')!
  expect(heading.target).toEqual(['page 1, Document/H2'])
  expect(heading.tags).toContain('pdfua1-7.4.2-1')
  expect(Buffer.from(heading.picture!.image).toString('latin1', 1, 4)).toBe('PNG')
  // The text begins 72 points from the left and 32 from the top of a page that is drawn 720 pixels wide.
  const { x, y, width } = heading.picture!.box
  expect([x > 70 && x < 95, y > 15 && y < 45, width > 30]).toEqual([true, true, true])
})

describe('the processes that check', () => {
  it('a file that waits behind slow ones ends when its time is up, or when nobody wants it any more', async () => {
    const slow = Array.from({ length: 2 }, () => check(pageOf('/X0 Do', laughs), 5000))
    const short = checkPdf(whole, { scope, withPictures: false, timeoutMs: 50 })
    const stop = new AbortController()
    const left = checkPdf(whole, { scope, withPictures: false, timeoutMs: 30_000, signal: stop.signal })
    stop.abort()
    const began = performance.now()
    expect([endOf(await short), endOf(await left)]).toEqual(['timeout', 'timeout'])
    expect(performance.now() - began).toBeLessThan(1000)
    await Promise.all(slow)
    expect(endOf(await check(whole))).toBe('checked')
  }, 60_000)

  it('leave no file behind that computes for ever when their worker is killed', async () => {
    const spin = 'data:text/javascript,setTimeout(()=>{for(;;);},1500)'
    const program = new URL('./process.ts', import.meta.url).href
    const parent = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { fork } from 'node:child_process'
       const child = fork(new URL('${program}'), [], { execArgv: ['--no-warnings', '--import', '${spin}'] })
       console.log(child.pid)
       setInterval(() => {}, 1000)`,
    ])
    const pid = Number(await new Promise((done) => parent.stdout.once('data', done)))
    await sleep(3000)
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  }, 30_000)

  const faulty = (title: string): Uint8Array =>
    writePdf({ tags: [{ type: 'Document', kids: [{ type: 'H2', kids: [title] }] }] })

  it('check many files with pictures, one after another, and none is lost', async () => {
    const before = new Set(pdfProcesses())
    const seen = new Set<number>()
    const files = Array.from({ length: 120 }, (_, i) => async () => {
      // The last of them waits for all others.
      const outcome = await check(faulty(`Title ${i}`), 110_000)
      for (const pid of pdfProcesses()) if (!before.has(pid)) seen.add(pid)
      return outcome.kind === 'checked' && outcome.report.findings.some(({ picture }) => picture !== null)
    })
    const done = await Promise.all(files.map((file) => file()))
    expect(done.filter(Boolean)).toHaveLength(120)
    // Two at once, each replaced by its age alone.
    expect(seen.size).toBeLessThanOrEqual(2)
  }, 120_000)

  it('a file whose process is killed is checked by a fresh one', async () => {
    const slow = check(pageOf('/X0 Do', laughs), 50_000)
    const killing = setInterval(() => {
      const [pid] = pdfProcesses()
      if (pid === undefined) return
      clearInterval(killing)
      for (const one of pdfProcesses()) process.kill(one, 'SIGKILL')
    }, 50)
    expect(endOf(await slow)).toBe('limit')
    clearInterval(killing)
    expect(endOf(await check(whole))).toBe('checked')
  })

  it('a file that ends every process is a failure of that file, and of no other', async () => {
    const killing = setInterval(() => {
      for (const pid of pdfProcesses()) process.kill(pid, 'SIGKILL')
    }, 20)
    const outcome = await check(pageOf('/X0 Do', laughs))
    clearInterval(killing)
    expect(outcome).toMatchObject({ kind: 'failed', trouble: 'crashed' })
    expect(endOf(await check(whole))).toBe('checked')
  })

  it('a stranger’s file sees nothing of our environment', () => {
    for (const pid of pdfProcesses())
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/PATH=|CLEARWAY/)
    expect(pdfProcesses().length).toBeGreaterThan(0)
  })
})
