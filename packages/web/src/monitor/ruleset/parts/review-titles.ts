import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Titles of results that the engine could not decide, by rule: a request instead of a claim. */
const reviewTitles: Readonly<Record<string, MessageDescriptor>> = {
  'aria-valid-attr-value': msg`Check the value of this ARIA attribute`,
  bypass: msg`Check whether repeated content can be skipped`,
  'color-contrast': msg`Check the contrast of this text`,
  'color-contrast-enhanced': msg`Check the enhanced contrast of this text`,
  'frame-tested': msg`Check the content of this frame`,
  'identical-links-same-purpose': msg`Check whether links with the same name have the same purpose`,
  'label-content-name-mismatch': msg`Check whether the name contains the visible text`,
  'link-in-text-block': msg`Check whether this link stands out without its color`,
  'no-autoplay-audio': msg`Check whether this audio plays by itself`,
  'scrollable-region-focusable': msg`Check whether this scrollable area can be used by keyboard`,
  'target-size': msg`Check the size of this target`,
  'th-has-data-cells': msg`Check which cells this table header describes`,
  'video-caption': msg`Check whether this video has captions`,
}

/** Rules of uploaded results may be named as members of every object. */
export const findReviewTitle = (rule: string): MessageDescriptor | null =>
  Object.hasOwn(reviewTitles, rule) ? reviewTitles[rule]! : null
