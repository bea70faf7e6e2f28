import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { goodXmp, writePdf, type Draft, type Tag } from '../../../../fixtures/pdf/write.ts'
import { isProfileTest, pdfRules, pdfRulesByTest } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { findHits } from './check.ts'
import { buildReport } from './report.ts'

const listTests = (bytes: Uint8Array): string[] => [...findHits(bytes).counts.keys()]
const reportOn = (bytes: Uint8Array) => {
  const { facts, hits } = findHits(bytes)
  return buildReport(facts, hits, { wcag: null, bestPractices: false, pdfUa: false })
}
const buildTag = (type: string, ...kids: (Tag | string)[]): Tag => ({ type, kids })
const defaultTags: Tag[] = [buildTag('Document', buildTag('P', 'Hello'))]
/** The font of these files is deliberately not embedded, so that test is ignored. */
const listProfileTests = (pdfDraft: Draft): string[] =>
  listTests(writePdf({ tags: defaultTags, ...pdfDraft })).filter((testId) => isProfileTest(testId) && testId !== '7.21.4.1-1')

/** Files that each break one test, in particular those without another fixture. */
const faultyDrafts: Record<string, Draft> = {
  '6.1-1': { header: '%PDF-2.0\n' },
  '6.2-1': { marked: false },
  '7.1-5': { tags: [buildTag('Document', buildTag('Text body', 'x'))] },
  '7.1-6': { tags: [buildTag('Document', buildTag('Own', 'x'))], roleMap: '/Own /Other /Other /Own' },
  '7.1-7': { roleMap: '/P /Span' },
  '7.1-8': { xmp: null },
  '7.1-10': { catalog: '/Lang (en)' },
  '7.2-10': { tags: [buildTag('Table', buildTag('TR', buildTag('P', 'x')))] },
  '7.2-15': {
    tags: [
      buildTag(
        'Table',
        buildTag('TR', buildTag('TD', 'a'), { ...buildTag('TD', 'b'), entries: '/A <</O /Table /RowSpan 2>>' }),
        buildTag('TR', { ...buildTag('TD', 'c'), entries: '/A <</O /Table /ColSpan 2>>' }),
      ),
    ],
  },
  '7.2-16': {
    tags: [buildTag('Table', buildTag('TR', buildTag('TD', 'a')), buildTag('Caption', 'c'), buildTag('TR', buildTag('TD', 'b')))],
  },
  '7.2-19': { tags: [buildTag('L', buildTag('P', 'x'))] },
  '7.2-28': { tags: [buildTag('TOC', buildTag('TOCI', 'a'), buildTag('Caption', 'b'))] },
  '7.2-34': { catalog: '/ViewerPreferences <</DisplayDocTitle true>>' },
  '7.2-39': {
    tags: [buildTag('Table', buildTag('Caption', 'c'), buildTag('TR', buildTag('TD', 'a')), buildTag('Caption', 'b'))],
  },
  '7.2-40': { tags: [buildTag('L', buildTag('LI', buildTag('LBody', 'a')), buildTag('Caption', 'b'))] },
  '7.3-1': { tags: [buildTag('Document', buildTag('Figure', 'x'))] },
  '7.4.2-1': { tags: [buildTag('Document', buildTag('H1', 'x'), buildTag('H3', 'y'))] },
  '7.4.4-2': { tags: [buildTag('Document', buildTag('H1', 'x'), buildTag('H', 'y'))] },
  '7.5-1': { tags: [buildTag('Table', buildTag('TR', buildTag('TH', 'a')), buildTag('TR', buildTag('TD', 'b')))] },
  '7.9-1': { tags: [buildTag('Document', buildTag('Note', 'x'))] },
  '7.18.3-1': {
    page: '/Annots [100 0 R]',
    objects: { 100: '<</Type /Annot /Subtype /Link /Rect [10 10 50 50] /Contents (To the start)>>' },
  },
  '7.18.4-2': { tags: [buildTag('Document', buildTag('Form', 'a', 'b'))] },
  '7.1-3': { content: 'BT /F1 12 Tf 72 700 Td (loose) Tj ET\n' },
}

describe('the PDF/UA-1 profile', () => {
  it('finds nothing in a conforming file', () => {
    expect(listProfileTests({})).toEqual([])
  })

  it.each(Object.entries(faultyDrafts))('%s', (test, draft) => {
    expect(listProfileTests(draft)).toContain(test)
  })

  it('treats an artifact that the tree claims as both', () => {
    const content = '/Artifact <</MCID 0>> BDC BT /F1 12 Tf 72 300 Td (both) Tj ET EMC\n'
    expect(listProfileTests({ content })).toEqual(expect.arrayContaining(['7.1-1', '7.1-2']))
    expect(listProfileTests({ content: content.replace('<</MCID 0>>', '<<>>') })).toEqual([])
  })

  it('requires text to be mapped by the font', () => {
    const listFontFaults = (encodingEntry: string) =>
      listProfileTests({
        fonts: '/F2 100 0 R',
        objects: {
          100: `<</Type /Font /Subtype /Type1 /BaseFont /Helvetica ${encodingEntry}>>`,
          101: '<</Type /FontDescriptor /FontName /Helvetica /Flags 32>>',
        },
        content: '/Artifact BMC BT /F2 12 Tf 72 300 Td (A) Tj ET EMC\n',
      })
    expect(listFontFaults('')).toEqual([])
    expect(listFontFaults('/FontDescriptor 101 0 R')).toEqual(['7.21.7-1'])
    expect(listFontFaults('/Encoding <</Differences [65 /f_i]>>')).toEqual(['7.21.7-1'])
    expect(listFontFaults('/Encoding <</Differences [65 /fi]>>')).toEqual([])
    expect(listFontFaults('/Encoding /WinAnsiEncoding')).toEqual([])
  })

  it('distinguishes a missing glyph from one named .notdef', () => {
    // A Type 1 program with a single glyph, .notdef, with a width of 500.
    const encryptType1 = (plainBytes: Buffer, expectedTest: number): Buffer => {
      let cipherState = expectedTest
      return Buffer.concat([Buffer.alloc(4), plainBytes]).map((byte) => {
        const cipherByte = byte ^ (cipherState >> 8)
        cipherState = ((cipherByte + cipherState) * 52_845 + 22_719) & 0xffff
        return cipherByte
      }) as Buffer
    }
    const glyphBytes = encryptType1(Buffer.from([139, 248, 136, 13]), 4330)
    const privateParts = [
      Buffer.from(`/CharStrings 1 begin /.notdef ${glyphBytes.length} RD `),
      glyphBytes,
      Buffer.from(' ND end'),
    ]
    const privateHex = encryptType1(Buffer.concat(privateParts), 55_665).toString('hex')
    const fontProgram = `%!PS-AdobeFont-1.0: Own\n/Encoding StandardEncoding def currentfile eexec\n${privateHex}`
    const listFontFaults = (encodingEntry: string) =>
      listProfileTests({
        fonts: '/F2 100 0 R',
        objects: {
          100: `<</Type /Font /Subtype /Type1 /BaseFont /Own /FirstChar 65 /LastChar 65 /Widths [500] /FontDescriptor 101 0 R ${encodingEntry}>>`,
          101: '<</Type /FontDescriptor /FontName /Own /Flags 32 /FontFile 102 0 R>>',
          102: `<</Length ${fontProgram.length}>>\nstream\n${fontProgram}\nendstream`,
        },
        content: '/Artifact BMC BT /F2 12 Tf 72 300 Td (A) Tj ET EMC\n',
      })
    expect(listFontFaults('/Encoding /WinAnsiEncoding')).toEqual(['7.21.4.1-2'])
    expect(listFontFaults('/Encoding <</Differences [65 /.notdef]>>')).toContain('7.21.8-1')
  })

  it('counts a cell twice if its row lists it twice', () => {
    const buildSecondRow = (rowEntries: string) => ({ ...buildTag('TR', buildTag('TD', 'c')), entries: rowEntries })
    const listTableFaults = (rowEntries: string) =>
      listProfileTests({
        tags: [buildTag('Table', buildTag('TR', buildTag('TD', 'a'), buildTag('TD', 'b')), buildSecondRow(rowEntries))],
      })
    expect(listTableFaults('')).toEqual(['7.2-43'])
    // The table is object 20; further objects follow in tree order.
    expect(listTableFaults('/K [25 0 R 25 0 R]')).toEqual([])
  })

  it('treats content as tagged if its parents lead to the root', () => {
    const buildRow = (entries: string): Tag => ({ ...buildTag('TR', buildTag('TD', 'a')), entries })
    const listTableFaults = (entries: string, rowEntries = '') =>
      listProfileTests({ tags: [{ ...buildTag('Table', buildRow(rowEntries)), entries }] })
    expect(listTableFaults('')).toEqual([])
    expect(listTableFaults('/P null')).toEqual(['7.1-3', '7.1-12'])
    // A row that contains its own table, which names the row as its parent.
    expect(listTableFaults('/P 21 0 R', '/K [22 0 R 20 0 R]')).toEqual(['7.1-3', '7.2-10'])
    expect(listTableFaults('', '/K [22 0 R 20 0 R]')).toEqual(['7.2-10'])
  })

  it('terminates for groups that contain themselves and each other', () => {
    const listGroupFaults = (entries: string) =>
      listProfileTests({ tags: [{ ...buildTag('Div', buildTag('Div', 'a')), entries }] })
    expect(listGroupFaults('/K [20 0 R 21 0 R 21 0 R 20 0 R]')).toEqual([])
  })

  it('ignores grouping elements', () => {
    const buildCells = (...names: string[]) => names.map((name) => buildTag('TD', name))
    const listItem = buildTag('LI', buildTag('Part', buildTag('LBody', 'a')))
    const listListFaults = (...groupTypes: string[]) =>
      listProfileTests({
        tags: [
          buildTag(
            'L',
            groupTypes.reduce((innerTag, group) => buildTag(group, innerTag), listItem),
          ),
        ],
      })
    expect(listListFaults('Div', 'NonStruct', 'Part')).toEqual([])
    expect(listListFaults('Div', 'Span')).toEqual(['7.2-19', '7.2-17'])
    expect(listProfileTests({ tags: [buildTag('Div', listItem)] })).toEqual(['7.2-17'])
    const listTableFaults = (...secondCells: Tag[]) =>
      listProfileTests({
        tags: [buildTag('Table', buildTag('TR', ...buildCells('a', 'b')), buildTag('Div', buildTag('TR', ...secondCells)))],
      })
    expect(listTableFaults(buildTag('Div', ...buildCells('c', 'd')))).toEqual([])
    expect(listTableFaults(...buildCells('c'))).toEqual(['7.2-43'])
  })

  it('lays out tables by their first row and column, and stops at the first cell that does not fit', () => {
    const buildCell = (spans: string): Tag => {
      const [columns, rows] = spans.split('x')
      return { ...buildTag('TD', 'x'), entries: `/A <</O /Table /ColSpan ${columns} /RowSpan ${rows}>>` }
    }
    const listTableFaults = (...rows: string[]) =>
      listProfileTests({
        tags: [
          buildTag('Table', ...rows.map((buildRow) => buildTag('TR', ...buildRow.split(' ').filter(Boolean).map(buildCell)))),
        ],
      })
    // Identical to veraPDF 1.28.2 for the same tables.
    expect(listTableFaults('1x1 1x1', '2x1')).toEqual([])
    expect(listTableFaults('1x1 1x2')).toEqual(['7.2-41'])
    expect(listTableFaults('1x1', '1x1', '1x1 1x2')).toEqual(['7.2-42'])
    expect(listTableFaults('2x1', '1x1')).toEqual(['7.2-43'])
    expect(listTableFaults('1x1 2x1', '1x1 1x1', '2x1 1x1 1x1')).toEqual(['7.2-42'])
    expect(listTableFaults('1x2 3x1 1x1', '1x1 1x3 1x1', '3x1 1x1 1x1', '1x1 1x1')).toEqual(['7.2-15'])
    expect(listTableFaults('2x1 1x3', '1x1 3x1 1x1', '2x1 1x1 1x1')).toEqual(['7.2-42'])
    expect(listTableFaults('1x1 1x1', '', '1x1 1x1')).toEqual([])
    // veraPDF reports missing rows as rows that are too short; the conformance files name the column.
    expect(listTableFaults('1x2 1x1')).toEqual(['7.2-41'])
    expect(listTableFaults('1x3', '1x1')).toEqual(['7.2-41'])
  })

  it('accepts unknown headers if each header has a scope', () => {
    const listTableFaults = (scope: string) =>
      listProfileTests({
        tags: [
          buildTag(
            'Table',
            buildTag('TR', { ...buildTag('TH', 'a'), entries: `/A <</O /Table ${scope}>>` }),
            buildTag('TR', { ...buildTag('TD', 'b'), entries: '/A <</O /Table /Headers [(none)]>>' }),
          ),
        ],
      })
    expect(listTableFaults('')).toEqual(['7.5-2'])
    expect(listTableFaults('/Scope /Row')).toEqual([])
  })

  it('treats an annotation as tagged if only the parent tree references it', () => {
    const listWidgetFaults = (elementType: string) =>
      listProfileTests({
        page: '/Tabs /S /Annots [100 0 R]',
        objects: {
          99: '1 101 0 R',
          100: '<</Type /Annot /Subtype /Widget /FT /Tx /T (a) /TU (Name) /Rect [10 10 50 50] /StructParent 1>>',
          101: `<</Type /StructElem /S /${elementType} /P 20 0 R>>`,
        },
      })
    expect(listWidgetFaults('Form')).toEqual([])
    expect(listWidgetFaults('P')).toEqual(['7.18.4-1'])
  })

  it('requires a language for metadata of pages and images, too', () => {
    const listPageFaults = (languageEntry: string, textLanguage: string) => {
      const pageXmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:rights><rdf:Alt><rdf:li xml:lang="${textLanguage}">Ours</rdf:li></rdf:Alt></dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>`
      return listProfileTests({
        catalog: `${languageEntry} /ViewerPreferences <</DisplayDocTitle true>>`,
        xmp: goodXmp.replace('x-default', 'en'),
        tags: [{ ...buildTag('P', 'x'), entries: '/Lang (en)' }],
        page: '/Metadata 100 0 R',
        objects: {
          100: `<</Type /Metadata /Subtype /XML /Length ${pageXmp.length}>>\nstream\n${pageXmp}\nendstream`,
        },
      })
    }
    expect(listPageFaults('', 'x-default')).toEqual(['7.2-33'])
    expect(listPageFaults('', 'en')).toEqual([])
    expect(listPageFaults('/Lang (en)', 'x-default')).toEqual([])
  })

  it('requires a Unicode table for a TrueType font with custom glyph names', () => {
    const listEncodingFaults = (encodingEntry: string) =>
      listProfileTests({
        fonts: '/F2 100 0 R',
        objects: {
          100: `<</Type /Font /Subtype /TrueType /BaseFont /Verdana /FontDescriptor 101 0 R /Encoding ${encodingEntry}>>`,
          101: '<</Type /FontDescriptor /FontName /Verdana /Flags 32>>',
        },
        content: '/Artifact BMC BT /F2 12 Tf 72 300 Td (A) Tj ET EMC\n',
      })
    expect(listEncodingFaults('/WinAnsiEncoding')).toEqual([])
    expect(listEncodingFaults('<</BaseEncoding /WinAnsiEncoding /Differences [65 /B]>>')).toEqual(['7.21.6-2'])
  })

  it('maps each test to a rule', () => {
    const profileTests = Object.values(pdfRules).flatMap(({ tests }) => tests.filter(isProfileTest))
    expect(new Set(profileTests).size).toBe(106)
    expect(profileTests.every((test) => pdfRulesByTest.has(test))).toBe(true)
  })
})

const corpusFolder = process.env.PDF_CORPUS
if (!corpusFolder) process.stderr.write('\nPDF_CORPUS names no folder: the PDF/UA-1 conformance files are NOT tested.\n\n')

type ExpectedResult = { file: string; clause: string; test: number; expect: 'pass' | 'fail' }
/** Tests that the profile has since split. */
const acceptedAlternatives: Record<string, readonly string[]> = {
  '7.2-3': ['7.2-16', '7.2-39'],
  '7.2-19': ['7.2-40'],
  '7.18.7-1': ['7.11-1'],
}

describe.skipIf(!corpusFolder)('the conformance files', () => {
  const corpusCases = corpusFolder
    ? (JSON.parse(readFileSync(join(corpusFolder, 'expected.json'), 'utf8')) as ExpectedResult[])
    : []
  it.each(corpusCases)('$file', ({ file, clause, test, expect: verdict }) => {
    const foundTests = listTests(readFileSync(join(corpusFolder!, file))).filter(isProfileTest)
    if (verdict === 'pass') return expect(foundTests).toEqual([])
    const expectedTest = `${clause}-${test}`
    expect(
      foundTests.some((foundTest) => foundTest === expectedTest || acceptedAlternatives[expectedTest]?.includes(foundTest)),
    ).toBe(true)
  })
})

describe('encrypted files', () => {
  /** Encrypts nothing but what the reader takes for encrypted: streams, by AES-256 with the empty password. */
  const buildEncrypted = (encryptsMetadata: boolean) => {
    const fileKey = randomBytes(32)
    const [validationSalt, keySalt] = [randomBytes(8), randomBytes(8)]
    const hash = (salt: Buffer) => createHash('sha256').update(salt).digest()
    const keyCipher = createCipheriv('aes-256-cbc', hash(keySalt), Buffer.alloc(16)).setAutoPadding(false)
    const user = Buffer.concat([hash(validationSalt), validationSalt, keySalt]).toString('hex')
    return writePdf({
      tags: defaultTags,
      trailer: '/Encrypt 110 0 R',
      objects: {
        110: `<</Filter /Standard /V 5 /R 5 /Length 256 /P -4 /O <${'00'.repeat(48)}> /U <${user}>
          /UE <${keyCipher.update(fileKey).toString('hex')}> /OE <${'00'.repeat(32)}> /Perms <${'00'.repeat(16)}>
          /CF <</StdCF <</CFM /AESV3 /Length 32>>>> /StmF /StdCF /StrF /Identity /EncryptMetadata ${encryptsMetadata}>>`,
      },
    })
  }
  const metadataTests = ['5-1', '7.1-9']

  it('may leave their metadata in clear', () => {
    expect(listTests(buildEncrypted(false)).filter((test) => metadataTests.includes(test))).toEqual([])
    expect(listTests(buildEncrypted(true)).filter((test) => metadataTests.includes(test))).not.toEqual([])
  })
})

describe('damaged files', () => {
  const isDamaged = (bytes: Uint8Array) => reportOn(bytes).isDamaged
  const longText = Array.from({ length: 30 }, (_, index) => buildTag('P', `Line ${index}`))
  const wholeFile = Buffer.from(writePdf({ tags: [buildTag('Document', ...longText)] }))

  it('say so if parts are missing', () => {
    expect(isDamaged(wholeFile.subarray(0, wholeFile.length * 0.8))).toBe(true)
    const withoutObject = Buffer.from(
      wholeFile.toString('latin1').replace('7 0 obj', 'x x obj').replace('startxref', 'start'),
      'latin1',
    )
    expect(isDamaged(withoutObject)).toBe(true)
  })

  it('are whole if only their table is wrong', () => {
    const text = wholeFile.toString('latin1')
    for (const changedText of [
      text,
      text.replace(/startxref\n(\d+)/, 'startxref\n7'),
      text.replace('startxref', 'start'),
      `${text}\n<html>`,
    ])
      expect(isDamaged(Buffer.from(changedText, 'latin1'))).toBe(false)
  })

  it('say so if a stream cannot be decoded', () => {
    const deflated = deflateSync(Buffer.from('BT /F1 12 Tf 72 700 Td (Hello) Tj ET\n'.repeat(40)))
    const build = (data: Buffer) =>
      writePdf({
        tags: defaultTags,
        page: '/Contents 100 0 R',
        objects: { 100: `<</Filter /FlateDecode /Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream` },
      })
    expect(isDamaged(build(deflated))).toBe(false)
    // No block of this type exists: RFC 1951, section 3.2.3. Arbitrary bytes can be decoded once in twenty times.
    const reservedBlock = Buffer.alloc(60, 0xff)
    expect(isDamaged(build(reservedBlock))).toBe(true)
    expect(isDamaged(build(Buffer.concat([deflated.subarray(0, 2), reservedBlock])))).toBe(true)
  })
})

it('resolves links by the base of the document', () => {
  const page = '/Annots [100 0 R 101 0 R]'
  const toLink = (uri: string) => `<</Type /Annot /Subtype /Link /Rect [10 10 50 50] /A <</S /URI /URI (${uri})>>>>`
  const objects = { 100: toLink('other.pdf'), 101: toLink('https://a.example/x') }
  const listLinks = (catalog: string) => reportOn(writePdf({ page, objects, catalog })).links
  expect(listLinks('/URI <</Base (https://b.example/docs/)>>')).toEqual([
    'https://b.example/docs/other.pdf',
    'https://a.example/x',
  ])
  expect(listLinks('')).toEqual(['other.pdf', 'https://a.example/x'])
})
