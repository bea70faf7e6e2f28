/** Success criteria of the rules, each with the name of its Understanding page. */
const understandingPages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1.1.1': 'non-text-content',
    '1.2.1': 'audio-only-and-video-only-prerecorded',
    '1.2.2': 'captions-prerecorded',
    '1.3.1': 'info-and-relationships',
    '1.3.2': 'meaningful-sequence',
    '1.3.4': 'orientation',
    '1.3.5': 'identify-input-purpose',
    '1.4.1': 'use-of-color',
    '1.4.2': 'audio-control',
    '1.4.3': 'contrast-minimum',
    '1.4.4': 'resize-text',
    '1.4.5': 'images-of-text',
    '1.4.6': 'contrast-enhanced',
    '1.4.12': 'text-spacing',
    '2.1.1': 'keyboard',
    '2.1.3': 'keyboard-no-exception',
    '2.2.1': 'timing-adjustable',
    '2.2.2': 'pause-stop-hide',
    '2.2.4': 'interruptions',
    '2.4.1': 'bypass-blocks',
    '2.4.2': 'page-titled',
    '2.4.3': 'focus-order',
    '2.4.4': 'link-purpose-in-context',
    '2.4.5': 'multiple-ways',
    '2.4.6': 'headings-and-labels',
    '2.4.9': 'link-purpose-link-only',
    '2.5.3': 'label-in-name',
    '2.5.8': 'target-size-minimum',
    '3.1.1': 'language-of-page',
    '3.1.2': 'language-of-parts',
    '3.2.5': 'change-on-request',
    '3.3.2': 'labels-or-instructions',
    '4.1.1': 'parsing',
    '4.1.2': 'name-role-value',
  }),
)

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

/** Returns the URL of a criterion's Understanding page; null for criteria without rules. */
export const getUnderstandingUrl = (criterion: string): string | null =>
  understandingPages.has(criterion) ? `https://www.w3.org/WAI/WCAG22/Understanding/${understandingPages.get(criterion)}` : null
