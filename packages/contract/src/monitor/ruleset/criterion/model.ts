/** Success criteria that rules are about, each with the name of its page among those that explain WCAG. */
const pages: Readonly<Record<string, string>> = {
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
}

/** The number of the criterion that a tag means: `wcag143` is 1.4.3. Null for other tags. */
export function criterionOf(tag: string): string | null {
  const digits = /^wcag(\d)(\d)(\d{1,2})$/.exec(tag)
  return digits && digits.slice(1).join('.')
}

/** The criteria among tags, in the order of WCAG. */
export const criteriaOf = (tags: readonly string[]): string[] => {
  const found = new Set(tags.flatMap((tag) => criterionOf(tag) ?? []))
  return [...found].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** The page that explains a criterion; null for one that no rule is about. */
export const understandingUrl = (criterion: string): string | null =>
  criterion in pages ? `https://www.w3.org/WAI/WCAG22/Understanding/${pages[criterion]}` : null
