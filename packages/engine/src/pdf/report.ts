import { createHash } from 'node:crypto'
import {
  isProfileTest,
  pdfLevels,
  pdfHelpUrl,
  pdfRuleOfTest,
  pdfRules,
  pdfTags,
  type PdfRuleId,
} from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { pdfTextsEn } from '@clearway/contract/monitor/ruleset/pdf/en.ts'
import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import type { Finding } from '../outcome.ts'
import type { Element } from './model/structure.ts'
import { refKey } from './object/value.ts'
import { decodeText, parsePdfDate } from './model/text-string.ts'
import { boundsOf, textIn, type Facts, type Hit } from './rule/hit.ts'

/** Which faults to report: those that WCAG knows (by the tags that a standard has for axe), those of PDF/UA-1, or both. */
export type PdfScope = { wcag: readonly string[] | null; bestPractices: boolean; pdfUa: boolean }

/** Where a finding is: a page from 0 and a rectangle in its points. */
export type PdfSpot = { page: number; rect: readonly [number, number, number, number] | null }

/** What a PDF says about itself. */
export type PdfAbout = {
  pages: number
  title: string | null
  language: string | null
  producer: string | null
  isTagged: boolean
  claimsPdfUa: boolean
  /** When it was last changed, by its own word; ISO 8601. */ modifiedAt: string | null
}

/** An element for the reader to walk through: type, page from 1, its text and its kids. */
export type PdfTag = { type: string; page: number | null; text: string; alt: string | null; kids: PdfTag[] }

export type PdfReport = {
  about: PdfAbout
  findings: (Finding & { spot: PdfSpot | null })[]
  tags: PdfTag[]
  /** URLs that its links lead to. */ links: string[]
  /** Not all of it was looked at: it has more pages than the limit. */ isPartial: boolean
  health: Health
}

const mostTags = 3000

const aboutOf = (facts: Facts): PdfAbout => {
  const { file, xmp } = facts
  const info = file.dict(file.trailer.entries.get('Info'))
  const text = (key: string): string | null => {
    const raw = file.string(info?.entries.get(key))
    return raw === null ? null : decodeText(raw).trim() || null
  }
  const modified = xmp?.modified ?? text('ModDate') ?? text('CreationDate')
  const date =
    modified === null ? null : modified.startsWith('D:') ? parsePdfDate(modified) : new Date(modified)
  return {
    pages: facts.pages.pages.length,
    title: (xmp?.title || text('Title'))?.replaceAll(/\s+/g, ' ') ?? null,
    language: facts.catalogLanguage,
    producer: xmp?.producer ?? text('Producer'),
    isTagged: facts.structure !== null,
    claimsPdfUa: xmp?.uaIdentification.part !== undefined,
    modifiedAt: date && !Number.isNaN(date.getTime()) ? date.toISOString() : null,
  }
}

/** Tests that only repeat, once for every piece of content, that the document has no tags. */
const saidByUntagged = new Set(['7.1-3', '7.18.1-1', '7.18.4-1', '7.18.5-1', '7.18.3-1', '7.2-34'])

function isReported(hit: Hit, facts: Facts, scope: PdfScope): boolean {
  const id = pdfRuleOfTest.get(hit.test)
  if (!id) return false
  if (scope.pdfUa && isProfileTest(hit.test)) return true
  // A standard tag that the map leads to itself keeps its meaning: a formal fault, as LibreOffice leaves it.
  if (hit.test === '7.1-6' && hit.element?.standardType != null) return false
  const { onlyUa, wcag } = pdfRules[id]
  if (scope.wcag === null || onlyUa) return false
  if (wcag.length === 0 && !scope.bestPractices) return false
  if (wcag.length > 0 && !pdfLevels(id).some((level) => scope.wcag!.includes(level))) return false
  return !(facts.structure === null && saidByUntagged.has(hit.test))
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
const inHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The element as code: what a developer of the document would look for. */
function snippet(facts: Facts, element: Element | null, text: string | null): string {
  if (!element) return text ?? ''
  const alt =
    element.alt === null ? '' : ` Alt="${inHtml(element.alt.slice(0, 120)).replaceAll('"', '&quot;')}"`
  const inner = text ?? textIn(facts, element)
  return `<${element.type}${alt}>${inHtml(inner.slice(0, 120))}</${element.type}>`
}

/** Tests of the role map: one thing to fix for each tag, however often it is used. */
const roleTests = new Set(['7.1-5', '7.1-6', '7.1-7'])

type Group = { id: PdfRuleId; hit: Hit; tests: Set<string>; key: string }

/** One finding for each thing that is wrong with each element, whatever number of tests say so. */
function groupHits(hits: readonly Hit[]): Group[] {
  const groups = new Map<string, Group>()
  for (const hit of hits) {
    // A link without a description fails as a link and as an annotation: one thing to fix.
    const id = hit.isLink && hit.test === '7.18.1-2' ? 'pdf-link-text' : pdfRuleOfTest.get(hit.test)!
    const own = `${hit.page ?? ''} ${hit.rect?.join(',') ?? ''} ${hit.text ?? ''}`
    const byElement = hit.element && (roleTests.has(hit.test) ? hit.element.type : hit.element.path)
    const where = byElement ?? own
    const key = `${id} ${where}`
    const known = groups.get(key)
    if (known) known.tests.add(hit.test)
    else groups.set(key, { id, hit, tests: new Set([hit.test]), key })
  }
  return [...groups.values()]
}

/** The page that an element names for itself, when nothing of it could be found on one. */
function pageOf({ pages }: Facts, { page }: Element): PdfSpot | null {
  const found = page && pages.pages.find(({ ref }) => ref && refKey(ref) === refKey(page))
  return found ? { page: found.index, rect: null } : null
}

function toFinding(
  facts: Facts,
  { id, hit, tests }: Group,
  ordinals: Map<string, number>,
): PdfReport['findings'][number] {
  const { impact, why, isReview } = pdfRules[id]
  const [title, fix] = pdfTextsEn.rules[id]
  const element = hit.element ?? null
  const spot =
    hit.page != null
      ? { page: hit.page, rect: hit.rect ?? null }
      : element
        ? (boundsOf(facts, element) ?? pageOf(facts, element))
        : null
  const text = hit.text?.slice(0, 120) ?? null
  const identity = `pdf ${element?.path ?? ''} ${shortHash(element ? textIn(facts, element) : (text ?? ''))}`
  const ordinalKey = `${id} ${identity}`
  const ordinal = ordinals.get(ordinalKey) ?? 0
  ordinals.set(ordinalKey, ordinal + 1)
  return {
    rule: id,
    impact,
    severity: isReview ? 'needs review' : impact,
    help: title,
    description: pdfTextsEn.why[why],
    helpUrl: pdfHelpUrl(id),
    tags: pdfTags(id, [...tests]),
    target: [[spot ? `page ${spot.page + 1}` : 'document', ...(element ? [element.path] : [])].join(', ')],
    html: snippet(facts, element, text),
    fix: { any: [fix], all: [], none: [] },
    elementKey: identity,
    elementPattern: `pdf ${element?.path.replaceAll(/\[\d+\]/g, '') ?? ''}`,
    ordinal,
    picture: null,
    spot,
  }
}

function tagsOf(facts: Facts): PdfTag[] {
  let left = mostTags
  const convert = (element: Element, depth: number): PdfTag | null => {
    if (--left < 0 || depth > 60) return null
    return {
      type: element.type,
      page: (boundsOf(facts, element)?.page ?? -1) + 1 || null,
      text: facts.texts.get(element)?.slice(0, 80) ?? '',
      alt: element.alt,
      kids: element.kids.map((kid) => convert(kid, depth + 1)).filter((kid) => kid !== null),
    }
  }
  return (facts.structure?.roots ?? []).map((root) => convert(root, 0)).filter((tag) => tag !== null)
}

const mostLinks = 2000

function linksOf({ file, pages }: Facts): string[] {
  const links = new Set<string>()
  for (const page of pages.pages)
    for (const annotation of file.array(page.dict.entries.get('Annots')).slice(0, 20_000)) {
      const uri = file.string(file.dict(file.dict(annotation)?.entries.get('A'))?.entries.get('URI'))
      if (uri !== null && /^https?:/i.test(uri) && links.size < mostLinks) links.add(uri)
    }
  return [...links]
}

const worst: Health[] = ['critical', 'serious', 'moderate']

/** What the hits on a file mean to people, by scope. */
export function makeReport(facts: Facts, hits: readonly Hit[], scope: PdfScope): PdfReport {
  const reported: Group[] = groupHits(hits.filter((hit) => isReported(hit, facts, scope)))
  const ordinals = new Map<string, number>()
  const findings = reported.map((group) => toFinding(facts, group, ordinals))
  return {
    about: aboutOf(facts),
    findings,
    tags: tagsOf(facts),
    links: linksOf(facts),
    isPartial: facts.pages.isCut,
    health: worst.find((health) => findings.some(({ severity }) => severity === health)) ?? 'good',
  }
}
