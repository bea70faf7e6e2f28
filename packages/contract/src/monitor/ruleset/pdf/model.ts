import type { Impact } from '../schema.ts'

/** Reasons why a fault in a PDF matters; each has a text in every language. */
export type PdfImportance =
  | 'structure'
  | 'content'
  | 'alternative'
  | 'language'
  | 'navigation'
  | 'table'
  | 'form'
  | 'title'
  | 'access'

export type PdfRule = {
  impact: Impact
  why: PdfImportance
  /** WCAG 2 success criteria; empty for PDF/UA-only rules. */
  wcag: readonly string[]
  /** Conditions of the Matterhorn Protocol 1.1. */
  matterhorn: readonly string[]
  /** Clauses and test numbers of the PDF/UA-1 validation profile, and names of our own tests. */
  tests: readonly string[]
  /** Requires a manual decision. */
  isReview: boolean
  /** Reported only if PDF/UA is enabled. */
  onlyUa: boolean
}

/** Rule, impact, importance, mode, WCAG criteria, Matterhorn conditions, tests. Mode: `review` or `ua`. */
const pdfRuleRows = [
  ['pdf-tagged', 'critical', 'structure', '', '1.3.1 4.1.2', '01-005', '6.2-1 7.1-11'],
  ['pdf-scanned', 'critical', 'content', '', '1.1.1 1.4.5', '08-001', 'page-is-picture'],
  ['pdf-security', 'critical', 'access', '', '4.1.2', '26-001 26-002', '7.16-1'],
  ['pdf-xfa', 'critical', 'form', '', '4.1.2', '25-001', '7.15-1'],
  ['pdf-portfolio', 'moderate', 'access', 'review', '', '', 'portfolio'],
  ['pdf-title', 'serious', 'title', '', '2.4.2', '06-001 06-003', '7.1-8 7.1-9'],
  ['pdf-title-shown', 'moderate', 'title', '', '2.4.2', '07-001 07-002', '7.1-10'],
  ['pdf-title-quality', 'moderate', 'title', '', '2.4.2', '06-004', 'title-quality'],
  ['pdf-lang', 'serious', 'language', '', '3.1.1', '11-001', '7.2-34 catalog-language'],
  ['pdf-lang-valid', 'serious', 'language', '', '3.1.1 3.1.2', '11-007', '7.2-29'],
  [
    'pdf-lang-alt',
    'moderate',
    'language',
    '',
    '3.1.2',
    '11-002 11-004 11-005',
    '7.2-21 7.2-22 7.2-23 7.2-24 7.2-25 7.2-30 7.2-31 7.2-32',
  ],
  ['pdf-lang-meta', 'minor', 'language', '', '3.1.1', '11-003 11-006', '7.2-2 7.2-33'],
  ['pdf-content-untagged', 'serious', 'structure', '', '1.3.1', '01-005', '7.1-3'],
  ['pdf-artifact-nesting', 'moderate', 'structure', '', '1.3.1', '01-003 01-004', '7.1-1 7.1-2'],
  ['pdf-suspects', 'moderate', 'structure', '', '1.3.1', '01-007', '7.1-4'],
  ['pdf-role-unmapped', 'serious', 'structure', '', '1.3.1 4.1.2', '02-001', '7.1-5'],
  ['pdf-role-loop', 'serious', 'structure', '', '1.3.1', '02-003', '7.1-6'],
  ['pdf-role-remap', 'moderate', 'structure', '', '1.3.1', '02-004', '7.1-7'],
  ['pdf-parent', 'minor', 'structure', 'ua', '', '', '7.1-12'],
  ['pdf-figure-alt', 'critical', 'alternative', '', '1.1.1', '13-004', '7.3-1'],
  ['pdf-alt-quality', 'moderate', 'alternative', 'review', '1.1.1', '13-004', 'alt-quality'],
  ['pdf-formula-alt', 'serious', 'alternative', '', '1.1.1', '17-002', '7.7-1'],
  ['pdf-heading-skip', 'moderate', 'navigation', '', '1.3.1 2.4.6', '14-002 14-003', '7.4.2-1'],
  ['pdf-heading-mix', 'minor', 'navigation', '', '1.3.1', '14-006 14-007', '7.4.4-1 7.4.4-2 7.4.4-3'],
  ['pdf-no-headings', 'moderate', 'navigation', '', '1.3.1 2.4.6', '14-001', 'no-headings'],
  ['pdf-bookmarks', 'moderate', 'navigation', '', '2.4.5', '', 'no-bookmarks'],
  [
    'pdf-table-struct',
    'serious',
    'table',
    '',
    '1.3.1',
    '09-004',
    '7.2-3 7.2-4 7.2-5 7.2-6 7.2-7 7.2-8 7.2-9 7.2-10 7.2-11 7.2-12 7.2-13 7.2-14 7.2-16 7.2-36 7.2-37 7.2-38 7.2-39',
  ],
  ['pdf-table-regular', 'moderate', 'table', '', '1.3.1', '09-004', '7.2-15 7.2-41 7.2-42 7.2-43'],
  ['pdf-table-header', 'serious', 'table', '', '1.3.1', '15-003', '7.5-1'],
  ['pdf-table-headers-id', 'serious', 'table', '', '1.3.1', '15-003', '7.5-2'],
  ['pdf-table-noheader', 'serious', 'table', 'review', '1.3.1', '15-001', 'table-without-headers'],
  ['pdf-list-struct', 'moderate', 'structure', '', '1.3.1', '09-005', '7.2-17 7.2-18 7.2-19 7.2-20 7.2-40'],
  ['pdf-toc-struct', 'minor', 'structure', '', '1.3.1', '09-006', '7.2-26 7.2-27 7.2-28'],
  ['pdf-note-id', 'minor', 'structure', '', '1.3.1', '19-003 19-004', '7.9-1 7.9-2'],
  ['pdf-link-tag', 'serious', 'navigation', '', '1.3.1 2.4.4', '28-011', '7.18.5-1'],
  ['pdf-link-text', 'serious', 'alternative', '', '2.4.4', '28-012', '7.18.5-2'],
  ['pdf-field-name', 'critical', 'form', '', '4.1.2 3.3.2', '28-005', '7.18.1-3'],
  ['pdf-field-tag', 'serious', 'form', '', '4.1.2 1.3.1', '28-010', '7.18.4-1 7.18.4-2'],
  ['pdf-annot-tag', 'moderate', 'structure', '', '1.3.1', '28-002', '7.18.1-1'],
  ['pdf-annot-alt', 'serious', 'alternative', '', '1.1.1', '28-004', '7.18.1-2'],
  ['pdf-trapnet', 'minor', 'structure', 'ua', '', '28-007', '7.18.2-1'],
  ['pdf-printer-mark', 'minor', 'structure', 'ua', '', '28-018', '7.18.8-1'],
  ['pdf-tab-order', 'serious', 'form', '', '2.4.3', '28-008 28-009', '7.18.3-1'],
  ['pdf-media', 'serious', 'alternative', '', '1.2.1', '28-014 28-015', '7.18.6.2-1 7.18.6.2-2'],
  ['pdf-attachment', 'minor', 'access', 'ua', '', '21-001', '7.11-1'],
  ['pdf-layers', 'minor', 'access', 'ua', '', '20-001 20-002 20-003', '7.10-1 7.10-2'],
  ['pdf-form-xobject', 'moderate', 'structure', '', '1.3.1', '30-001 30-002', '7.20-1 7.20-2'],
  ['pdf-unicode', 'critical', 'content', '', '1.3.1', '10-001 31-027 31-028', '7.21.7-1 7.21.7-2'],
  ['pdf-font-embed', 'moderate', 'content', 'ua', '', '31-009', '7.21.4.1-1'],
  [
    'pdf-font-data',
    'minor',
    'content',
    'ua',
    '',
    '31-001 31-004 31-006 31-007 31-008 31-011 31-012 31-014 31-016 31-017 31-030',
    '7.21.3.1-1 7.21.3.2-1 7.21.3.3-1 7.21.3.3-2 7.21.3.3-3 7.21.4.1-2 7.21.4.2-1 7.21.4.2-2 7.21.5-1 7.21.6-1 7.21.6-2 7.21.6-3 7.21.6-4 7.21.8-1',
  ],
  ['pdf-ua-id', 'minor', 'access', 'ua', '', '06-002', '5-1 5-2 5-3 5-4 5-5'],
  ['pdf-header', 'minor', 'access', 'ua', '', '', '6.1-1'],
  ['pdf-contrast', 'serious', 'content', 'review', '1.4.3', '04-001', 'low-contrast'],
  ['pdf-order', 'serious', 'structure', 'review', '1.3.2', '09-001', 'reading-order'],
] as const

export type PdfRuleId = (typeof pdfRuleRows)[number][0]

const splitWords = (text: string): string[] => (text === '' ? [] : text.split(' '))

export const pdfRules = Object.fromEntries(
  pdfRuleRows.map(([ruleId, impact, importance, ruleMode, wcag, matterhorn, testNames]): [PdfRuleId, PdfRule] => [
    ruleId,
    {
      impact,
      why: importance,
      wcag: splitWords(wcag),
      matterhorn: splitWords(matterhorn),
      tests: splitWords(testNames),
      isReview: ruleMode === 'review',
      onlyUa: ruleMode === 'ua',
    },
  ]),
) as Record<PdfRuleId, PdfRule>

/** PDF code with and without each rule's fault: tags as XML, entries as in the file. */
export const pdfExamples: Record<PdfRuleId, readonly [wrong: string, right: string]> = {
  'pdf-tagged': ['/MarkInfo << /Marked false >>', '/MarkInfo << /Marked true >>\n/StructTreeRoot 12 0 R'],
  'pdf-scanned': ['/Im0 Do', '/P << /MCID 0 >> BDC BT (Annual report) Tj ET EMC'],
  'pdf-security': ['/P -1340', '/P -828'],
  'pdf-xfa': ['/AcroForm << /XFA 9 0 R >>', '/AcroForm << /Fields [7 0 R 8 0 R] >>'],
  'pdf-portfolio': ['portfolio.pdf (/Collection)', 'report.pdf\nfigures.pdf'],
  'pdf-title': ['<dc:title></dc:title>', '<dc:title>Annual report 2026</dc:title>'],
  'pdf-title-shown': ['/DisplayDocTitle false', '/DisplayDocTitle true'],
  'pdf-title-quality': ['<dc:title>report_final_v3.docx</dc:title>', '<dc:title>Annual report 2026</dc:title>'],
  'pdf-lang': ['/Type /Catalog', '/Type /Catalog\n/Lang (en-US)'],
  'pdf-lang-valid': ['/Lang (english)', '/Lang (en-US)'],
  'pdf-lang-alt': ['<Figure Alt="Carte">', '<Figure Alt="Carte" Lang="fr">'],
  'pdf-lang-meta': ['/Outlines 5 0 R', '/Lang (en-US)\n/Outlines 5 0 R'],
  'pdf-content-untagged': ['BT (Text) Tj ET', '/P << /MCID 0 >> BDC BT (Text) Tj ET EMC'],
  'pdf-artifact-nesting': ['/P << /MCID 0 >> BDC /Artifact BMC … EMC EMC', '/P << /MCID 0 >> BDC … EMC\n/Artifact BMC … EMC'],
  'pdf-suspects': ['/MarkInfo << /Marked true /Suspects true >>', '/MarkInfo << /Marked true >>'],
  'pdf-role-unmapped': ['<Body_Text>Text</Body_Text>', '/RoleMap << /Body_Text /P >>'],
  'pdf-role-loop': ['/RoleMap << /A /B /B /A >>', '/RoleMap << /A /B /B /P >>'],
  'pdf-role-remap': ['/RoleMap << /P /H1 >>', '/RoleMap << /Chapter /H1 >>'],
  'pdf-parent': ['<< /S /P /K 0 >>', '<< /S /P /P 12 0 R /K 0 >>'],
  'pdf-figure-alt': ['<Figure/>', '<Figure Alt="Sales grew by a third in 2026"/>'],
  'pdf-alt-quality': ['<Figure Alt="IMG_0042.jpg"/>', '<Figure Alt="Sales grew by a third in 2026"/>'],
  'pdf-formula-alt': ['<Formula/>', '<Formula Alt="a squared plus b squared"/>'],
  'pdf-heading-skip': ['<H1>Report</H1><H3>Sales</H3>', '<H1>Report</H1><H2>Sales</H2>'],
  'pdf-heading-mix': ['<H>Report</H><H2>Sales</H2>', '<H1>Report</H1><H2>Sales</H2>'],
  'pdf-no-headings': ['<P>1. Sales</P>', '<H1>1. Sales</H1>'],
  'pdf-bookmarks': ['/Type /Catalog', '/Type /Catalog\n/Outlines 5 0 R'],
  'pdf-table-struct': ['<Table><TD>50</TD></Table>', '<Table><TR><TD>50</TD></TR></Table>'],
  'pdf-table-regular': ['<TR><TH/><TH/></TR><TR><TD/></TR>', '<TR><TH/><TH/></TR><TR><TD ColSpan="2"/></TR>'],
  'pdf-table-header': ['<TH>Price</TH>', '<TH Scope="Column">Price</TH>'],
  'pdf-table-headers-id': ['<TH ID="price">…<TD Headers="cost">', '<TH ID="price">…<TD Headers="price">'],
  'pdf-table-noheader': ['<TR><TD>Price</TD></TR>', '<TR><TH Scope="Column">Price</TH></TR>'],
  'pdf-list-struct': ['<L><P>Shoes</P></L>', '<L><LI><Lbl>1.</Lbl><LBody>Shoes</LBody></LI></L>'],
  'pdf-toc-struct': ['<TOC><P>Sales … 4</P></TOC>', '<TOC><TOCI>Sales … 4</TOCI></TOC>'],
  'pdf-note-id': ['<Note>See page 4.</Note>', '<Note ID="note-1">See page 4.</Note>'],
  'pdf-link-tag': ['<P>Our terms</P>', '<P><Link>Our terms<OBJR/></Link></P>'],
  'pdf-link-text': ['/Subtype /Link /Contents ()', '/Subtype /Link /Contents (Our terms)'],
  'pdf-field-name': ['/T (txt1)', '/T (txt1) /TU (First name)'],
  'pdf-field-tag': ['<P><OBJR/></P>', '<P><Form><OBJR/></Form></P>'],
  'pdf-annot-tag': ['/Subtype /Stamp', '<Annot><OBJR/></Annot>'],
  'pdf-annot-alt': ['/Subtype /Stamp', '/Subtype /Stamp /Contents (Approved)'],
  'pdf-trapnet': ['/Annots [4 0 R]  % /Subtype /TrapNet', '/Annots []'],
  'pdf-printer-mark': ['<Annot><OBJR/></Annot>  % /Subtype /PrinterMark', '/Subtype /PrinterMark'],
  'pdf-tab-order': ['/Tabs /R', '/Tabs /S'],
  'pdf-media': ['/S /MCD', '/S /MCD /CT (video/mp4) /Alt [() (Tour of the shop)]'],
  'pdf-attachment': ['/Type /Filespec /EF 8 0 R', '/Type /Filespec /F (data.csv) /UF (data.csv) /EF 8 0 R'],
  'pdf-layers': ['/D << /AS [3 0 R] >>', '/D << /Name (Layers) >>'],
  'pdf-form-xobject': ['/Fm0 Do … /Fm0 Do  % with tags inside', '/P << /MCID 0 >> BDC … EMC'],
  'pdf-unicode': ['/Type /Font', '/Type /Font /ToUnicode 6 0 R'],
  'pdf-font-embed': ['/Type /FontDescriptor', '/Type /FontDescriptor /FontFile2 7 0 R'],
  'pdf-font-data': ['/Widths [500]  % 612 in the font', '/Widths [612]'],
  'pdf-ua-id': ['<rdf:Description/>', '<pdfuaid:part>1</pdfuaid:part>'],
  'pdf-header': ['%!PS', '%PDF-1.7'],
  'pdf-contrast': ['0.6 g (Text) Tj', '0.3 g (Text) Tj'],
  'pdf-order': ['<P>Second</P><H1>First</H1>', '<H1>First</H1><P>Second</P>'],
}

/** Texts of the rules in one language: title and fix. */
export type PdfTexts = {
  rules: Record<PdfRuleId, readonly [title: string, fix: string]>
  why: Record<PdfImportance, string>
}

export const pdfRulesByTest: ReadonlyMap<string, PdfRuleId> = new Map(
  (Object.entries(pdfRules) as [PdfRuleId, PdfRule][]).flatMap(([ruleId, { tests }]) =>
    tests.map((test) => [test, ruleId] as const),
  ),
)

/** Returns true for tests of the PDF/UA-1 profile, false for our own. */
export const isProfileTest = (test: string): boolean => /^\d/.test(test)

const tagsByCriterion: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1.4.3': 'wcag2aa',
    '1.4.5': 'wcag2aa',
    '2.4.5': 'wcag2aa',
    '2.4.6': 'wcag2aa',
    '3.1.2': 'wcag2aa',
  }),
)

/** Returns the WCAG levels of a rule's criteria as axe tags. */
export const getPdfLevels = (ruleId: PdfRuleId): string[] => [
  ...new Set(pdfRules[ruleId].wcag.map((criterion) => tagsByCriterion.get(criterion) ?? 'wcag2a')),
]

/** Returns the tags of an issue: group, criteria with their levels, Matterhorn conditions, and failed profile tests. */
export function buildPdfTags(ruleId: PdfRuleId, tests: readonly string[]): string[] {
  const { wcag, matterhorn } = pdfRules[ruleId]
  return [
    'cat.pdf',
    ...getPdfLevels(ruleId),
    ...wcag.map((criterion) => `wcag${criterion.replaceAll('.', '')}`),
    ...matterhorn.map((condition) => `matterhorn-${condition}`),
    ...tests.filter(isProfileTest).map((test) => `pdfua1-${test}`),
  ]
}

export const buildPdfHelpUrl = (ruleId: PdfRuleId): string => `/monitor/docs/pdf-rules#${ruleId}`
