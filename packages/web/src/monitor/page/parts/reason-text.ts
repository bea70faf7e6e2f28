import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ExclusionReason, FailureReason, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type * as z from 'zod/mini'

const remedyTexts = {
  url: msg`Correct the link on the page that leads here, or exclude the URL from the scan.`,
  site: msg`Check whether the site runs and lets the scanner in, then test again.`,
  certificate: msg`Renew or correct the certificate of the site. People's browsers warn about it too.`,
  private: msg`Private addresses are refused for safety. An administrator can allow this one in the server's settings.`,
  rights: msg`Give the scanner access, or exclude the URL from the scan.`,
  broken: msg`Visitors get the same answer. Fix the page, or the links that lead to it.`,
  redirect: msg`Open the page in a browser to see where it leads, and correct its redirects.`,
  slow: msg`Try the page in a browser. If it is slow there too, fix it; otherwise, allow more time in the scan's settings.`,
  size: msg`Make the page smaller, or exclude it from the scan.`,
  type: msg`This is not a web page. Exclude such URLs from the scan.`,
  file: msg`Open the file in a reader. Fix it or publish another one, or exclude it from the scan.`,
  settings: msg`Change the settings of the scan if the page should be part of it.`,
  session: msg`Check the sign-in that the scan uses: user name, password, script.`,
  botProtection: msg`Ask the operators of the site to let the scans through: by the user agent of the scan, the IP address of the server, or a header with a secret. Set the user agent or the header in the scan.`,
  script: msg`Check the script of the scan, then test again.`,
  page: msg`Open the page in a browser. If it freezes or crashes there too, fix it; otherwise, test again.`,
  server: msg`Test again. If it fails again, tell your administrator.`,
} as const

type FailureText = { what: MessageDescriptor; remedy: MessageDescriptor }

export const failureTexts: Record<FailureReason, FailureText> = {
  'bad-url': { what: msg`The URL is missing or wrong`, remedy: remedyTexts.url },
  'unknown-host': { what: msg`The host does not exist`, remedy: remedyTexts.url },
  'connection-refused': { what: msg`The server refused the connection`, remedy: remedyTexts.site },
  'connection-failed': { what: msg`The connection broke`, remedy: remedyTexts.site },
  'bad-certificate': { what: msg`The certificate is not valid`, remedy: remedyTexts.certificate },
  'address-refused': { what: msg`The address is private and not allowed`, remedy: remedyTexts.private },
  'http-400': { what: msg`The site answered 400: bad request`, remedy: remedyTexts.broken },
  'http-401': { what: msg`The site answered 401: sign-in needed`, remedy: remedyTexts.rights },
  'http-403': { what: msg`The site answered 403: not allowed`, remedy: remedyTexts.rights },
  'http-404': { what: msg`The site answered 404: not found`, remedy: remedyTexts.broken },
  'http-410': { what: msg`The site answered 410: removed`, remedy: remedyTexts.broken },
  'bot-protection': { what: msg`A protection against bots stands in front of the page`, remedy: remedyTexts.botProtection },
  'http-error': { what: msg`The site answered with an error`, remedy: remedyTexts.broken },
  'redirect-loop': { what: msg`The page redirects in a circle`, remedy: remedyTexts.redirect },
  'client-redirect': { what: msg`The page goes to another URL by itself`, remedy: remedyTexts.redirect },
  'timeout-download': { what: msg`The page took too long to load`, remedy: remedyTexts.slow },
  'timeout-command': { what: msg`The page took too long to react`, remedy: remedyTexts.slow },
  'timeout-generic': { what: msg`The page took too long`, remedy: remedyTexts.slow },
  'too-large': { what: msg`The page is too large`, remedy: remedyTexts.size },
  'binary-instead-of-html': { what: msg`The URL returns a file instead of a page`, remedy: remedyTexts.type },
  'html-instead-of-pdf': {
    what: msg`The URL looks like a PDF, but returns a page`,
    remedy: remedyTexts.type,
  },
  'pdf-damaged': { what: msg`The PDF is damaged and cannot be read`, remedy: remedyTexts.file },
  'pdf-locked': { what: msg`The PDF opens only with a password`, remedy: remedyTexts.file },
  'pdf-too-complex': {
    what: msg`The PDF needs more time or memory than one file may use`,
    remedy: remedyTexts.file,
  },
  'mime-type': { what: msg`This type of content cannot be tested`, remedy: remedyTexts.type },
  'violates-settings': { what: msg`Excluded by the scan's settings`, remedy: remedyTexts.settings },
  authentication: { what: msg`The sign-in failed`, remedy: remedyTexts.session },
  'session-failed': { what: msg`No session could be established`, remedy: remedyTexts.session },
  'task-not-processed': { what: msg`The script did not run`, remedy: remedyTexts.script },
  'invalid-task': { what: msg`The script is not valid`, remedy: remedyTexts.script },
  'invalid-header': { what: msg`A custom header is not valid`, remedy: remedyTexts.settings },
  'script-event-missing': {
    what: msg`Something that the script waits for did not happen`,
    remedy: remedyTexts.script,
  },
  'page-crashed': { what: msg`The page crashed the browser tab`, remedy: remedyTexts.page },
  'out-of-memory': { what: msg`The page needed too much memory`, remedy: remedyTexts.page },
  'too-many-dialogs': { what: msg`The page opened one dialog after another`, remedy: remedyTexts.page },
  'axe-failed': { what: msg`Testing stopped unexpectedly on this page`, remedy: remedyTexts.server },
  'rules-not-found': { what: msg`The rules could not be found`, remedy: remedyTexts.server },
  'browser-driver': { what: msg`The browser could not be controlled`, remedy: remedyTexts.server },
  'browser-cluster': { what: msg`No browser could be started`, remedy: remedyTexts.server },
  'server-not-updated': { what: msg`The server is not up to date`, remedy: remedyTexts.server },
  'results-not-saved': { what: msg`The results could not be saved`, remedy: remedyTexts.server },
  backend: { what: msg`The server failed`, remedy: remedyTexts.server },
}

export const exclusionTexts: Record<ExclusionReason, MessageDescriptor> = {
  'other-domain': msg`Belongs to another domain`,
  'outside-folder': msg`Outside the folders of the start URLs`,
  'too-deep': msg`Beyond the depth of the scan`,
  'over-limit': msg`The page limit had already been reached`,
  robots: msg`robots.txt asks crawlers not to visit it`,
  'mime-type': msg`Not a type of content that the scan tests`,
  redirect: msg`Leads to another URL, which is tested instead`,
  duplicate: msg`Same page as another URL`,
  scheme: msg`Not a web URL (http or https)`,
  'excluded-by-rule': msg`A rule of the scan excludes it`,
  'not-included': msg`No rule of the scan includes it`,
  'url-to-skip': msg`On the list of URLs to skip`,
  'acting-link': msg`Not opened: may sign out or change something`,
  'keyword-rule': msg`Excluded by the keyword rules`,
  trap: msg`One of an endless series of URLs that the site generates`,
  'not-a-page': msg`Not a page, but a list of URLs or a script`,
  'pdf-date': msg`A PDF from outside the chosen dates`,
  'pdf-count': msg`The PDF limit had already been reached`,
}

export const isExclusion = (reason: ExclusionReason | FailureReason): reason is ExclusionReason => reason in exclusionTexts

export const getReasonText = (reason: ExclusionReason | FailureReason): MessageDescriptor =>
  isExclusion(reason) ? exclusionTexts[reason] : failureTexts[reason].what

/** Notices about a whole run rather than a page; shown once. */
export const runNotices: readonly z.output<typeof PageNotice>[] = ['embedded-browser-fonts']

/** Limits of a tested page's result. */
export const noticeTexts: Record<z.output<typeof PageNotice>, MessageDescriptor> = {
  'did-not-settle': msg`The page never stopped changing, so it was tested as it was.`,
  'not-fully-loaded': msg`Not everything on the page was loaded when it was tested.`,
  'element-not-found': msg`An element that the scan waits for did not appear; the page was tested without it.`,
  'banner-not-closed': msg`A banner stayed open: nothing that refuses closed it.`,
  'banner-button-not-found': msg`A button that closes a banner was not found; the page was tested without a click on it.`,
  'frame-not-tested': msg`A frame inside the page could not be tested.`,
  'issue-limit-reached': msg`The page has more issues than are stored; the rest are only counted.`,
  'content-truncated': msg`Only the first part of the source is kept.`,
  'links-not-followed': msg`The page links to more pages than are followed from one page; the rest was not visited.`,
  'pdf-partly-checked': msg`The PDF has too many pages: the last ones were not checked.`,
  'pdf-partly-read': msg`The PDF is damaged: it was checked as far as it can be read.`,
  'content-out-of-reach': msg`The content could not be reached: most of the page is behind a dialog, inert or hidden from assistive technology.`,
  'same-as-other-pages': msg`At least three URLs show the same text, so their content was not seen.`,
  'unlike-last-time': msg`The content of the last visit is gone: something else was shown in its place.`,
  'issues-disappeared': msg`The page changed in a run in which most issues disappeared: the next run has to confirm it.`,
  'asks-for-password': msg`The page asks for a password, and the scan does not sign in: nothing behind it was tested.`,
  'requests-held': msg`Look-only mode held requests of the page, so content may be missing.`,
  'own-requests-failed': msg`Requests of the page to its own site failed, so it shows hardly any content.`,
  'embedded-browser-fonts': msg`The server has few fonts: sizes and line breaks may differ from those that people see.`,
}
