import { createHash } from 'node:crypto'
import {
  isProfileTest,
  getPdfLevels,
  buildPdfHelpUrl,
  pdfRulesByTest,
  pdfRules,
  buildPdfTags,
  type PdfRuleId,
} from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { pdfTextsEn } from '@clearway/contract/monitor/ruleset/pdf/en.ts'
import type { Finding } from '../outcome.ts'
import type { StructureElement } from './model/structure.ts'
import { toRefKey } from './object/value.ts'
import { decodeText, parsePdfDate } from './model/text-string.ts'
import { findBounds, collectText, type PdfFacts, type Hit } from './rule/hit.ts'

/** Faults to report: those of WCAG (by the tags of a standard for axe), those of PDF/UA-1, or both. */
export type PdfScope = { wcag: readonly string[] | null; bestPractices: boolean; pdfUa: boolean }

/** Location of a finding: page index from 0 and a rectangle in points. */
export type PdfSpot = { page: number; rect: readonly [number, number, number, number] | null }

/** Metadata of a PDF. */
export type PdfAbout = {
  pages: number
  title: string | null
  language: string | null
  producer: string | null
  isTagged: boolean
  claimsPdfUa: boolean
  /** Last modification according to the document, ISO 8601. */
  modifiedAt: string | null
}

/** An element for the tag viewer: type, page from 1, text and kids. */
export type PdfTag = { type: string; page: number | null; text: string; alt: string | null; kids: PdfTag[] }

export type PdfReport = {
  about: PdfAbout
  findings: (Finding & { spot: PdfSpot | null })[]
  tags: PdfTag[]
  /** Target URLs of its links. */
  links: string[]
  /** Only partly checked: it has more pages than the limit. */
  isPartial: boolean
  /** Parts of the file are missing or cannot be read. */
  isDamaged: boolean
}

const maxTags = 3000

const readMetadata = (facts: PdfFacts): PdfAbout => {
  const { file, xmp } = facts
  const infoDict = file.dict(file.trailer.entries.get('Info'))
  const readInfoText = (groupKey: string): string | null => {
    const rawText = file.string(infoDict?.entries.get(groupKey))
    return rawText === null ? null : decodeText(rawText).trim() || null
  }
  const modifiedText = xmp?.modified ?? readInfoText('ModDate') ?? readInfoText('CreationDate')
  const modifiedDate =
    modifiedText === null ? null : modifiedText.startsWith('D:') ? parsePdfDate(modifiedText) : new Date(modifiedText)
  return {
    pages: facts.pages.pages.length,
    title: (xmp?.title || readInfoText('Title'))?.replaceAll(/\s+/g, ' ') ?? null,
    language: facts.catalogLanguage,
    producer: xmp?.producer ?? readInfoText('Producer'),
    isTagged: facts.structure !== null,
    claimsPdfUa: xmp?.uaIdentification.part !== undefined,
    modifiedAt: modifiedDate && !Number.isNaN(modifiedDate.getTime()) ? modifiedDate.toISOString() : null,
  }
}

/** Tests that only repeat for each piece of content that the document has no tags. */
const impliedByUntagged = new Set(['7.1-3', '7.18.1-1', '7.18.4-1', '7.18.5-1', '7.18.3-1', '7.2-34'])

function isReported(hit: Hit, facts: PdfFacts, scope: PdfScope): boolean {
  const ruleId = pdfRulesByTest.get(hit.test)
  if (!ruleId) return false
  if (scope.pdfUa && isProfileTest(hit.test)) return true
  // A standard tag that is mapped to itself keeps its meaning: a formal fault of LibreOffice.
  if (hit.test === '7.1-6' && hit.element?.standardType != null) return false
  const { onlyUa, wcag } = pdfRules[ruleId]
  if (scope.wcag === null || onlyUa) return false
  if (wcag.length === 0 && !scope.bestPractices) return false
  if (wcag.length > 0 && !getPdfLevels(ruleId).some((level) => scope.wcag!.includes(level))) return false
  return !(facts.structure === null && impliedByUntagged.has(hit.test))
}

const computeShortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Returns the element as code, as a developer of the document would search for it. */
function buildSnippet(facts: PdfFacts, element: StructureElement | null, text: string | null): string {
  if (!element) return text ?? ''
  const altAttribute = element.alt === null ? '' : ` Alt="${escapeHtml(element.alt.slice(0, 120)).replaceAll('"', '&quot;')}"`
  const innerText = text ?? collectText(facts, element)
  return `<${element.type}${altAttribute}>${escapeHtml(innerText.slice(0, 120))}</${element.type}>`
}

/** Tests of the role map: one fix per tag, regardless of its uses. */
const roleTests = new Set(['7.1-5', '7.1-6', '7.1-7'])

type HitGroup = { id: PdfRuleId; hit: Hit; tests: Set<string>; key: string }

/** Groups hits into one finding per fault and element, regardless of the number of tests. */
function groupHits(hits: readonly Hit[]): HitGroup[] {
  const groupsByKey = new Map<string, HitGroup>()
  for (const hit of hits) {
    // A link without a description fails as a link and as an annotation: a single fix.
    const ruleId = hit.isLink && hit.test === '7.18.1-2' ? 'pdf-link-text' : pdfRulesByTest.get(hit.test)!
    const hitLocation = `${hit.page ?? ''} ${hit.rect?.join(',') ?? ''} ${hit.text ?? ''}`
    const elementIdentity = hit.element && (roleTests.has(hit.test) ? hit.element.type : hit.element.path)
    const hitIdentity = elementIdentity ?? hitLocation
    const groupKey = `${ruleId} ${hitIdentity}`
    const existingGroup = groupsByKey.get(groupKey)
    if (existingGroup) existingGroup.tests.add(hit.test)
    else groupsByKey.set(groupKey, { id: ruleId, hit, tests: new Set([hit.test]), key: groupKey })
  }
  return [...groupsByKey.values()]
}

/** Returns the page that an element declares, if none of its content has a location. */
function findElementPage({ pages }: PdfFacts, { page }: StructureElement): PdfSpot | null {
  const matchingPage = page && pages.pages.find(({ ref }) => ref && toRefKey(ref) === toRefKey(page))
  return matchingPage ? { page: matchingPage.index, rect: null } : null
}

function toFinding(
  facts: PdfFacts,
  { id, hit, tests }: HitGroup,
  nextOrdinals: Map<string, number>,
): PdfReport['findings'][number] {
  const { impact, why: whyKey, isReview } = pdfRules[id]
  const [ruleTitle, fixText] = pdfTextsEn.rules[id]
  const hitElement = hit.element ?? null
  const findingSpot =
    hit.page != null
      ? { page: hit.page, rect: hit.rect ?? null }
      : hitElement
        ? (findBounds(facts, hitElement) ?? findElementPage(facts, hitElement))
        : null
  const hitText = hit.text?.slice(0, 120) ?? null
  const elementIdentity = `pdf ${hitElement?.path ?? ''} ${computeShortHash(hitElement ? collectText(facts, hitElement) : (hitText ?? ''))}`
  const ordinalKey = `${id} ${elementIdentity}`
  const nextOrdinal = nextOrdinals.get(ordinalKey) ?? 0
  nextOrdinals.set(ordinalKey, nextOrdinal + 1)
  return {
    rule: id,
    impact,
    severity: isReview ? 'needs review' : impact,
    help: ruleTitle,
    description: pdfTextsEn.why[whyKey],
    helpUrl: buildPdfHelpUrl(id),
    tags: buildPdfTags(id, [...tests]),
    target: [[findingSpot ? `page ${findingSpot.page + 1}` : 'document', ...(hitElement ? [hitElement.path] : [])].join(', ')],
    html: buildSnippet(facts, hitElement, hitText),
    fix: { any: [fixText], all: [], none: [] },
    elementKey: elementIdentity,
    elementPattern: `pdf ${hitElement?.path.replaceAll(/\[\d+\]/g, '') ?? ''}`,
    ordinal: nextOrdinal,
    picture: null,
    spot: findingSpot,
  }
}

function buildTags(facts: PdfFacts): PdfTag[] {
  let remainingTags = maxTags
  const toTag = (element: StructureElement, depth: number): PdfTag | null => {
    if (--remainingTags < 0 || depth > 60) return null
    return {
      type: element.type,
      page: (findBounds(facts, element)?.page ?? -1) + 1 || null,
      text: facts.texts.get(element)?.slice(0, 80) ?? '',
      alt: element.alt,
      kids: element.kids.map((kidElement) => toTag(kidElement, depth + 1)).filter((kidElement) => kidElement !== null),
    }
  }
  return (facts.structure?.roots ?? []).map((rootElement) => toTag(rootElement, 0)).filter((rootTag) => rootTag !== null)
}

const maxLinks = 2000

/** Targets of the links as the file has them, relative ones resolved by its base URL if it has one. */
function listLinks({ file, pages }: PdfFacts): string[] {
  const linkUrls = new Set<string>()
  const baseUrl = file.string(file.dict(file.catalog.entries.get('URI'))?.entries.get('Base'))
  for (const page of pages.pages)
    for (const annotation of file.array(page.dict.entries.get('Annots')).slice(0, 20_000)) {
      const linkUri = file.string(file.dict(file.dict(annotation)?.entries.get('A'))?.entries.get('URI'))
      if (linkUri !== null && linkUrls.size < maxLinks) linkUrls.add((baseUrl && URL.parse(linkUri, baseUrl)?.href) || linkUri)
    }
  return [...linkUrls]
}

/** Converts the hits on a file to a report, according to the scope. */
export function buildReport(facts: PdfFacts, hits: readonly Hit[], scope: PdfScope): PdfReport {
  const reportedGroups: HitGroup[] = groupHits(hits.filter((hit) => isReported(hit, facts, scope)))
  const nextOrdinals = new Map<string, number>()
  const reportFindings = reportedGroups.map((group) => toFinding(facts, group, nextOrdinals))
  return {
    about: readMetadata(facts),
    findings: reportFindings,
    tags: buildTags(facts),
    links: listLinks(facts),
    isPartial: facts.pages.isCut,
    isDamaged: facts.file.isDamaged(),
  }
}
