import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { parseCriterion } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import type { TagCount } from '@clearway/contract/monitor/issue/schema.ts'
import type * as z from 'zod/mini'
import { getCriterionName } from '../../ruleset/parts/criterion-name.ts'
import { getTagName } from '../panel/value-labels.ts'

type TagKind = z.output<typeof TagCount>['kind']
const tagGroups: readonly { key: string; legend: MessageDescriptor; kinds: readonly TagKind[] }[] = [
  { key: 'wcag', legend: msg`Success criteria`, kinds: ['wcag'] },
  { key: 'conformance', legend: msg`Standards`, kinds: ['conformance'] },
  { key: 'category', legend: msg`Topics`, kinds: ['category'] },
  { key: 'other', legend: msg`Other tags`, kinds: ['other', 'axe-version'] },
]

function getFullTagName(tag: string, t: (message: MessageDescriptor) => string): string {
  const criterionName = getCriterionName(parseCriterion(tag) ?? '')
  return criterionName === null ? getTagName(tag) : `${getTagName(tag)} ${t(criterionName)}`
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
