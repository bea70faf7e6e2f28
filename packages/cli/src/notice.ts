import type { WallKind } from '@clearway/contract/monitor/page/evidence/schema.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { ReportIssue, ReportPage } from './schema.ts'

/** Same texts as in the web, except that the fonts are not a server's. */
export const noticeTexts: Record<PageNotice, string> = {
  'did-not-settle': 'The page never stopped changing, so it was tested as it was.',
  'not-fully-loaded': 'Not everything on the page was loaded when it was tested.',
  'element-not-found': 'An element that the scan waits for did not appear; the page was tested without it.',
  'banner-not-closed': 'A banner stayed open: nothing that refuses closed it.',
  'banner-button-not-found': 'A button that closes a banner was not found; the page was tested without a click on it.',
  'frame-not-tested': 'A frame inside the page could not be tested.',
  'issue-limit-reached': 'The page has more issues than are stored; the rest are only counted.',
  'content-truncated': 'Only the first part of the source is kept.',
  'links-not-followed': 'The page links to more pages than are followed from one page; the rest was not visited.',
  'pdf-partly-checked': 'The PDF has too many pages: the last ones were not checked.',
  'pdf-partly-read': 'The PDF is damaged: it was checked as far as it can be read.',
  'content-out-of-reach':
    'The content could not be reached: most of the page is behind a dialog, inert or hidden from assistive technology.',
  'same-as-other-pages': 'At least three URLs show the same text, so their content was not seen.',
  'unlike-last-time': 'The content of the last visit is gone: something else was shown in its place.',
  'issues-disappeared': 'The page changed in a run in which most issues disappeared: the next run has to confirm it.',
  'asks-for-password': 'The page asks for a password, and the scan does not sign in: nothing behind it was tested.',
  'requests-held': 'Look-only mode held requests of the page, so content may be missing.',
  'own-requests-failed': 'Requests of the page to its own site failed, so it shows hardly any content.',
  'embedded-browser-fonts': 'This machine has few fonts: sizes and line breaks may differ from those that people see.',
}
const wallTexts: Record<WallKind, string> = {
  'consent-dialog': 'It looks like a consent dialog.',
  challenge: 'It looks like a captcha or another challenge.',
  maintenance: 'It looks like a maintenance page.',
  'application-error': 'It looks like an error of the application.',
  'age-check': 'It looks like an age check.',
  'sign-in': 'It looks like a sign-in.',
}
/** Lines of a page's details that the engine writes about banners; the remaining ones name frames. */
const bannerLine = /^(Banner(:| of .*?:) |No visible button matches )/
/** Notices about a page's result, in addition to its issues. */
export const listNotices = ({ notices: pageNotices, detail, likelyWall }: ReportPage) => [
  ...pageNotices.map((notice) => {
    const frameLines =
      notice === 'frame-not-tested' ? (detail ?? '').split('\n').filter((line) => line && !bannerLine.test(line)) : []
    return frameLines.length > 0 ? `Frames were not tested: ${frameLines.join('; ')}` : noticeTexts[notice]
  }),
  ...(likelyWall === null ? [] : [wallTexts[likelyWall]]),
]

/** URLs and axe texts are untrusted: control characters must not reach a terminal or XML. */
// oxlint-disable-next-line no-control-regex -- matches the characters to remove
export const removeControlCharacters = (text: string) => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')

/** Messages of the checks of an issue, as ways to fix it. */
export const buildAdvice = ({ fix }: Pick<ReportIssue, 'fix'>) => [
  ...[...fix.all, ...fix.none].map((fixText) => `Fix: ${fixText}`),
  ...(fix.any.length > 0 ? [`Fix one of: ${fix.any.join('; ')}`] : []),
]
