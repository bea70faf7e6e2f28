import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

/** Groups of people that a problem affects, by axe-core's rule category. */
const affectedMessages: Record<string, MessageDescriptor> = {
  'cat.aria': msg`People who use a screen reader: it tells them something wrong, or nothing, about what this is and does.`,
  'cat.color': msg`People with low vision or color blindness, and everyone in bright light: they cannot make this out.`,
  'cat.forms': msg`People who use a screen reader or voice control: they cannot tell what to enter here, or cannot reach the field by its name.`,
  'cat.keyboard': msg`People who use no mouse: they cannot reach this, cannot use it, or lose track of where they are.`,
  'cat.language': msg`People who listen to the page: the words are read aloud in the wrong language, and are hard to understand.`,
  'cat.name-role-value': msg`People who use a screen reader or voice control: this has no name for them, so they do not know what it does.`,
  'cat.parsing': msg`People who use assistive technology: invalid code makes it miss or mistake parts of the page.`,
  'cat.semantics': msg`People who use a screen reader: they find their way by headings, lists and regions, and here these mislead.`,
  'cat.sensory-and-visual-cues': msg`People with low vision: they cannot enlarge or adapt the page as they need.`,
  'cat.structure': msg`People who use a screen reader: nothing tells them what belongs together.`,
  'cat.tables': msg`People who use a screen reader: they hear the cells of this table without the headers that give them meaning.`,
  'cat.text-alternatives': msg`People who cannot see the picture: nothing tells them what it shows.`,
  'cat.time-and-media': msg`People who are deaf or cannot see the video, and people whom movement distracts: they miss what is said or shown.`,
}

/** Returns the sentence for a rule's tags; null if unknown. */
const findAffectedMessage = (tags: readonly string[]): MessageDescriptor | null =>
  affectedMessages[tags.find((tag) => tag in affectedMessages) ?? ''] ?? null

export function AffectedPeople({ tags }: { tags: readonly string[] }) {
  const { t } = useLingui()
  const affectedMessage = findAffectedMessage(tags)
  return affectedMessage && <p>{t(affectedMessage)}</p>
}
