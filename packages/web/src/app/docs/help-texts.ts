import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Purpose and usage of each screen, by the key of its help page. */
const helpMessages: Record<string, MessageDescriptor> = {
  scans: msg`A scan visits the pages of a site and tests each of them. The list shows the latest results of each scan: its score, the change since the last run, and the worst issues. Start a run with the arrow in a row; select rows to change many scans at once.`,
  'scan-settings': msg`A scan needs a name and a start URL; everything else is optional. Each step says what it decides, and the scope step shows which pages would be visited. What you enter is saved as a draft.`,
  'scan-overview': msg`The results of one run. The score is the mean over its pages: a page with a critical issue scores 0, one with a serious issue 40%, with a moderate one 80%, any other 100%. “Where to start” shows which fixes raise the score most.`,
  'compare-runs': msg`What changed between two runs: issues that are new, resolved, still there or reappeared, and pages that were added or are gone. If the rules or the scope differ, a note says that the runs are hard to compare.`,
  branches: msg`Results of “clearway gate” on branches: what a change would add to this scan before it is merged. They are no runs of the scan: its score, issues and history do not change. The newest 20 of each branch are kept, for at most 90 days.`,
  rollup: msg`Many scans on one dashboard: how the score changed, which rules fail most, which pages score lowest, and what is new. Choose scans or groups above; every chart can be read as a table, and the dashboard can be printed.`,
  issues: msg`Everything that was found in the runs in view. One row stands for the same element on many pages. Open an issue to see where it is, whom it affects and how to fix it; there you can assign it, label it, comment on it, or ignore it.`,
  'ignored-issues': msg`Every decision to ignore issues that is in force, on all scans that you may see: which issues, why, who decided, and until when. When its day has passed, the issues are open again. Change a decision or end it here.`,
  pages: msg`Every URL that the runs discovered: tested, failed, or excluded with the reason. Open a page to see its issues and its source, or to check a single page again after you fix it.`,
  'scan-groups': msg`A group holds scans that belong together. A team that gets a role on the group has that role on each of its scans; group admins manage one group.`,
  account: msg`Your name, your password, two-factor sign-in, and where you are signed in.`,
  people: msg`Who has an account, and what they may do beyond single scans. Administrators invite people, change their roles, reset passwords, and deactivate or delete accounts. Teams give several people the same role on scans.`,
  'team-access': msg`Which team has which role on which scan or group. A Scan Viewer can read and comment, a Scan Member can also start runs and delete issues and pages, and a Scan Admin can also change the scan. A CSV file assigns many roles at once, with a preview of the changes.`,
  presets: msg`A preset holds settings that many scans share. What it decides is locked in those scans, unless their admins may override it.`,
  scripts: msg`A script walks through pages as a person would. A user flow has states of pages tested on the way; a sign-in script opens the session of a scan. Values of variables are stored encrypted and never shown again.`,
  'permissions-settings': msg`Whether people who are Scan Members or Scan Viewers somewhere may create scans of their own. Administrators always may.`,
  retention: msg`How long runs are kept. Sources and pictures are deleted first, then pages and issues, then the run itself; the newest runs of each scan are always kept.`,
  quotas: msg`How much one person may have and do: scans, runs at once, previews, uploads a day, saved views, and the email addresses that one scan notifies. Quotas make sure that there is enough for everyone.`,
  'system-health': msg`Shows whether each part of the system works. If runs are waiting and nothing happens, check the workers and the browser first.`,
  'audit-log': msg`Who did what, on what, when and from where: sign-ins and every change that a user made, newest first. Open an entry to see the values before and after. An entry cannot be changed or removed unnoticed: run “clearway audit verify” on the server to check that the log is intact.`,
  'api-keys': msg`A key lets a program use the public API in your name, with your current roles. It is shown once; revoke it when it is no longer needed.`,
  webhooks: msg`A URL of another program that is notified when a run of a scan ends. Each message is signed with the secret that is shown once; failed deliveries are retried.`,
}
const fallbackMessage = msg`Scans visit the pages of a site, runs are their results, and issues are what they found. Begin with the list of scans.`

export const hasHelpText = (key: string): boolean => key in helpMessages

export const getHelpMessage = (key: string): MessageDescriptor => helpMessages[key] ?? fallbackMessage
