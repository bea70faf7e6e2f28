import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { parseCriterion } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import type { TagCount } from '@clearway/contract/monitor/issue/schema.ts'
import type * as z from 'zod/mini'
import { getTagName } from '../panel/labels.ts'

/** Names of the success criteria that rules refer to, as in the translations of WCAG. */
const criterionNames: Readonly<Record<string, MessageDescriptor>> = {
  '1.1.1': msg`Non-text Content`,
  '1.2.1': msg`Audio-only and Video-only (Prerecorded)`,
  '1.2.2': msg`Captions (Prerecorded)`,
  '1.3.1': msg`Info and Relationships`,
  '1.3.2': msg`Meaningful Sequence`,
  '1.3.4': msg`Orientation`,
  '1.3.5': msg`Identify Input Purpose`,
  '1.4.1': msg`Use of Color`,
  '1.4.2': msg`Audio Control`,
  '1.4.3': msg`Contrast (Minimum)`,
  '1.4.4': msg`Resize Text`,
  '1.4.6': msg`Contrast (Enhanced)`,
  '1.4.10': msg`Reflow`,
  '1.4.11': msg`Non-text Contrast`,
  '1.4.12': msg`Text Spacing`,
  '1.4.13': msg`Content on Hover or Focus`,
  '2.1.1': msg`Keyboard`,
  '2.1.2': msg`No Keyboard Trap`,
  '2.1.3': msg`Keyboard (No Exception)`,
  '2.2.1': msg`Timing Adjustable`,
  '2.2.2': msg`Pause, Stop, Hide`,
  '2.2.4': msg`Interruptions`,
  '2.4.1': msg`Bypass Blocks`,
  '2.4.2': msg`Page Titled`,
  '2.4.3': msg`Focus Order`,
  '2.4.4': msg`Link Purpose (In Context)`,
  '2.4.6': msg`Headings and Labels`,
  '2.4.7': msg`Focus Visible`,
  '2.4.9': msg`Link Purpose (Link Only)`,
  '2.4.11': msg`Focus Not Obscured (Minimum)`,
  '2.5.3': msg`Label in Name`,
  '2.5.8': msg`Target Size (Minimum)`,
  '3.1.1': msg`Language of Page`,
  '3.1.2': msg`Language of Parts`,
  '3.2.1': msg`On Focus`,
  '3.2.2': msg`On Input`,
  '3.2.5': msg`Change on Request`,
  '3.3.1': msg`Error Identification`,
  '3.3.2': msg`Labels or Instructions`,
  '4.1.1': msg`Parsing`,
  '4.1.2': msg`Name, Role, Value`,
  '4.1.3': msg`Status Messages`,
}

type TagKind = z.output<typeof TagCount>['kind']
/** Groups of tags in the order of the filters. */
const tagGroups: readonly { key: string; legend: MessageDescriptor; kinds: readonly TagKind[] }[] = [
  { key: 'wcag', legend: msg`Success criteria`, kinds: ['wcag'] },
  { key: 'conformance', legend: msg`Standards`, kinds: ['conformance'] },
  { key: 'category', legend: msg`Topics`, kinds: ['category'] },
  { key: 'other', legend: msg`Other tags`, kinds: ['other', 'axe-version'] },
]

/** Returns the full name of a tag: a criterion with its number and name. */
function getFullTagName(tag: string, t: (message: MessageDescriptor) => string): string {
  const criterionName = criterionNames[parseCriterion(tag) ?? '']
  return criterionName === undefined ? getTagName(tag) : `${getTagName(tag)} ${t(criterionName)}`
}

type NamedTag = { id: string; name: string }
/** Returns the tags of each group by name, numbers in their order. Selected tags that no visible issue has are in the last group. */
export function groupTags(
  tags: readonly { tag: string; kind: TagKind }[],
  selectedTags: readonly string[],
  { t, locale }: { t: (message: MessageDescriptor) => string; locale: string },
): { key: string; legend: string; items: NamedTag[] }[] {
  const knownTags = new Set(tags.map(({ tag }) => tag))
  const unknownTags = selectedTags.filter((tag) => !knownTags.has(tag))
  return tagGroups.map(({ key, legend, kinds }) => {
    const ownTags = tags.filter(({ kind }) => kinds.includes(kind)).map(({ tag }) => tag)
    const items = [...ownTags, ...(key === 'other' ? unknownTags : [])].map((tag) => ({ id: tag, name: getFullTagName(tag, t) }))
    return { key, legend: t(legend), items: items.toSorted((a, b) => a.name.localeCompare(b.name, locale, { numeric: true })) }
  })
}
