import { labelsEn } from './label/en.ts'
import { fillLabel, type ReportLabels } from './label/model.ts'
import type { ReportIssue, ReportPage } from './schema.ts'

/** Lines of a page's details that the engine writes about banners; the remaining ones name frames. */
const bannerLine = /^(Banner(:| of .*?:) |No visible button matches )/
/** Notices about a page's result, in addition to its issues; in English for systems that compare reports. */
export const listNotices = ({ notices: pageNotices, detail, likelyWall }: ReportPage, labels: ReportLabels = labelsEn) => [
  ...pageNotices.map((notice) => {
    const frameLines =
      notice === 'frame-not-tested' ? (detail ?? '').split('\n').filter((line) => line && !bannerLine.test(line)) : []
    return frameLines.length > 0 ? fillLabel(labels.frames, { frames: frameLines.join('; ') }) : labels.notices[notice]
  }),
  ...(likelyWall === null ? [] : [labels.walls[likelyWall]]),
]

/** They change the order in which the letters around them are shown, so that code reads as other code. */
const directionCharacters = /[\u202a-\u202e\u2066-\u2069]/g
/** URLs and axe texts are untrusted: control characters must not reach a terminal, XML or a reader. */
export const removeControlCharacters = (text: string) =>
  // oxlint-disable-next-line no-control-regex -- matches the characters to remove
  text.replaceAll(directionCharacters, '').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')

/** Messages of the checks of an issue, as ways to fix it. */
export const buildAdvice = ({ fix }: Pick<ReportIssue, 'fix'>) => [
  ...[...fix.all, ...fix.none].map((fixText) => `Fix: ${fixText}`),
  ...(fix.any.length > 0 ? [`Fix one of: ${fix.any.join('; ')}`] : []),
]
