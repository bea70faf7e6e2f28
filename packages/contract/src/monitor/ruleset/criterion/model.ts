import { type StandardId, standards } from '../schema.ts'

/**
 * Success criterion, tag of its level, name of its Understanding page, mode. Complete up to level AA; of level AAA, those of the rules.
 * Mode: `rules` if rules of axe-core that every scan of its level runs cover a part of it: not experimental ones, nor those of PDFs.
 */
const criterionRows = [
  ['1.1.1', 'wcag2a', 'non-text-content', 'rules'],
  ['1.2.1', 'wcag2a', 'audio-only-and-video-only-prerecorded', ''],
  ['1.2.2', 'wcag2a', 'captions-prerecorded', 'rules'],
  ['1.2.3', 'wcag2a', 'audio-description-or-media-alternative-prerecorded', ''],
  ['1.2.4', 'wcag2aa', 'captions-live', ''],
  ['1.2.5', 'wcag2aa', 'audio-description-prerecorded', ''],
  ['1.3.1', 'wcag2a', 'info-and-relationships', 'rules'],
  ['1.3.2', 'wcag2a', 'meaningful-sequence', ''],
  ['1.3.3', 'wcag2a', 'sensory-characteristics', ''],
  ['1.3.4', 'wcag21aa', 'orientation', ''],
  ['1.3.5', 'wcag21aa', 'identify-input-purpose', 'rules'],
  ['1.4.1', 'wcag2a', 'use-of-color', 'rules'],
  ['1.4.2', 'wcag2a', 'audio-control', 'rules'],
  ['1.4.3', 'wcag2aa', 'contrast-minimum', 'rules'],
  ['1.4.4', 'wcag2aa', 'resize-text', 'rules'],
  ['1.4.5', 'wcag2aa', 'images-of-text', ''],
  ['1.4.6', 'wcag2aaa', 'contrast-enhanced', 'rules'],
  ['1.4.10', 'wcag21aa', 'reflow', ''],
  ['1.4.11', 'wcag21aa', 'non-text-contrast', ''],
  ['1.4.12', 'wcag21aa', 'text-spacing', 'rules'],
  ['1.4.13', 'wcag21aa', 'content-on-hover-or-focus', ''],
  ['2.1.1', 'wcag2a', 'keyboard', 'rules'],
  ['2.1.2', 'wcag2a', 'no-keyboard-trap', ''],
  ['2.1.3', 'wcag2aaa', 'keyboard-no-exception', 'rules'],
  ['2.1.4', 'wcag21a', 'character-key-shortcuts', ''],
  ['2.2.1', 'wcag2a', 'timing-adjustable', 'rules'],
  ['2.2.2', 'wcag2a', 'pause-stop-hide', 'rules'],
  ['2.2.4', 'wcag2aaa', 'interruptions', 'rules'],
  ['2.3.1', 'wcag2a', 'three-flashes-or-below-threshold', ''],
  ['2.4.1', 'wcag2a', 'bypass-blocks', 'rules'],
  ['2.4.2', 'wcag2a', 'page-titled', 'rules'],
  ['2.4.3', 'wcag2a', 'focus-order', ''],
  ['2.4.4', 'wcag2a', 'link-purpose-in-context', 'rules'],
  ['2.4.5', 'wcag2aa', 'multiple-ways', ''],
  ['2.4.6', 'wcag2aa', 'headings-and-labels', ''],
  ['2.4.7', 'wcag2aa', 'focus-visible', ''],
  ['2.4.9', 'wcag2aaa', 'link-purpose-link-only', 'rules'],
  ['2.4.11', 'wcag22aa', 'focus-not-obscured-minimum', ''],
  ['2.5.1', 'wcag21a', 'pointer-gestures', ''],
  ['2.5.2', 'wcag21a', 'pointer-cancellation', ''],
  ['2.5.3', 'wcag21a', 'label-in-name', 'rules'],
  ['2.5.4', 'wcag21a', 'motion-actuation', ''],
  ['2.5.7', 'wcag22aa', 'dragging-movements', ''],
  ['2.5.8', 'wcag22aa', 'target-size-minimum', 'rules'],
  ['3.1.1', 'wcag2a', 'language-of-page', 'rules'],
  ['3.1.2', 'wcag2aa', 'language-of-parts', 'rules'],
  ['3.2.1', 'wcag2a', 'on-focus', ''],
  ['3.2.2', 'wcag2a', 'on-input', ''],
  ['3.2.3', 'wcag2aa', 'consistent-navigation', ''],
  ['3.2.4', 'wcag2aa', 'consistent-identification', ''],
  ['3.2.5', 'wcag2aaa', 'change-on-request', 'rules'],
  ['3.2.6', 'wcag22a', 'consistent-help', ''],
  ['3.3.1', 'wcag2a', 'error-identification', ''],
  ['3.3.2', 'wcag2a', 'labels-or-instructions', 'rules'],
  ['3.3.3', 'wcag2aa', 'error-suggestion', ''],
  ['3.3.4', 'wcag2aa', 'error-prevention-legal-financial-data', ''],
  ['3.3.7', 'wcag22a', 'redundant-entry', ''],
  ['3.3.8', 'wcag22aa', 'accessible-authentication-minimum', ''],
  ['4.1.1', 'wcag2a', 'parsing', ''],
  ['4.1.2', 'wcag2a', 'name-role-value', 'rules'],
  ['4.1.3', 'wcag21aa', 'status-messages', ''],
] as const

const understandingPages: ReadonlyMap<string, string> = new Map(criterionRows.map(([criterion, , page]) => [criterion, page]))

/** Criteria of a standard by the tests that cover parts of them. */
export type CriterionCoverage = { rules: string[]; driven: string[]; people: string[] }

/**
 * Sorts the criteria of WCAG up to level AA by their tests, in the order of WCAG.
 * @param driven criteria of the driven rules that ran
 */
export function computeCoverage(standard: StandardId, driven: ReadonlySet<string>): CriterionCoverage {
  const isNewest = standard.startsWith('wcag22')
  // axe has no tag for level A of WCAG 2.2, which dropped 4.1.1.
  const levelTags: readonly string[] = [...standards[standard].tags, ...(isNewest ? ['wcag22a'] : [])]
  const criteria = criterionRows.filter(
    ([criterion, level]) => levelTags.includes(level) && level !== 'wcag2aaa' && !(isNewest && criterion === '4.1.1'),
  )
  const listCriteriaWhere = (isListed: (row: (typeof criterionRows)[number]) => boolean) =>
    criteria.filter(isListed).map(([criterion]) => criterion)
  return {
    rules: listCriteriaWhere(([, , , mode]) => mode === 'rules'),
    driven: listCriteriaWhere(([criterion]) => driven.has(criterion)),
    people: listCriteriaWhere(([criterion, , , mode]) => mode !== 'rules' && !driven.has(criterion)),
  }
}

/** Returns the criterion number of a tag: `wcag143` is 1.4.3. Null for other tags. */
export function parseCriterion(tag: string): string | null {
  const criterionDigits = /^wcag(\d)(\d)(\d{1,2})$/.exec(tag)
  return criterionDigits && criterionDigits.slice(1).join('.')
}

/** Returns the criteria among tags, in WCAG order. */
export const listCriteria = (tags: readonly string[]): string[] => {
  const foundCriteria = new Set(tags.flatMap((tag) => parseCriterion(tag) ?? []))
  return [...foundCriteria].toSorted((first, second) => first.localeCompare(second, 'en', { numeric: true }))
}

/** Returns the URL of a criterion's Understanding page; null for unknown criteria. */
export const getUnderstandingUrl = (criterion: string): string | null =>
  understandingPages.has(criterion) ? `https://www.w3.org/WAI/WCAG22/Understanding/${understandingPages.get(criterion)}` : null
