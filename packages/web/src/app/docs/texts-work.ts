import { draftRetentionDays } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { msg } from '@lingui/core/macro'
import type { DocsPage } from './part.ts'

/** Help for working with scans and their results. */
export const workPages = {
  scans: {
    title: msg`Scans`,
    parts: [
      {
        kind: 'steps',
        title: msg`Find the scan that needs attention`,
        items: [
          msg`Active runs are on top. Below, each row shows score, change since last run, and the worst issues.`,
          msg`Sort by a column header; narrow by search, “Favorites” or “Mine”; group by scan group or priority.`,
          msg`The arrow in a row starts a run; the menu next to it has all other actions.`,
        ],
      },
      {
        kind: 'steps',
        title: msg`Change many scans at once`,
        items: [
          msg`Tick rows; “Select all” takes every scan that the search and filters match, on all pages of the list.`,
          msg`Choose what to do in the bar below. A message then says what was done, and what was skipped.`,
        ],
      },
    ],
  },
  'scan-settings': {
    title: msg`Settings of a scan`,
    parts: [
      {
        kind: 'steps',
        title: msg`Create or change a scan`,
        items: [
          msg`Name and start URLs are all that is needed. Each step may be skipped; the list of steps shows what was chosen.`,
          msg`“Scope” decides which URLs are visited. The preview next to it shows which rule includes or excludes each URL.`,
          msg`“Session” sets how the scan signs in: by a form on a page, or by the method that the server asks for. “Try the sign-in” shows whether it works.`,
          msg`“Schedule” starts runs automatically: once, weekly or monthly, in a time zone of your choice.`,
        ],
      },
      {
        kind: 'list',
        title: msg`Good to know`,
        items: [
          msg`What you enter is saved as a draft, without passwords: go on in any browser. It is deleted ${draftRetentionDays} days after its last change.`,
          msg`What a preset decides is locked, with the name of the preset next to it.`,
          msg`If someone else has saved in the meantime, both changes are merged, and you see what conflicts.`,
        ],
      },
    ],
  },
  'scan-overview': {
    title: msg`Overview of a run`,
    parts: [
      {
        kind: 'steps',
        title: msg`Read a run`,
        items: [
          msg`The bar of pages explains the score: how many pages are critical, serious, moderate or good.`,
          msg`“Where to start” ranks rules and components by how much the score rises when they are fixed. Select one to see its issues.`,
          msg`Failed and excluded pages are links: they say why, and what to change.`,
        ],
      },
      {
        kind: 'steps',
        title: msg`Show it to others`,
        items: [
          msg`Choose “Share publicly…” and create a link. You can set the day on which it expires.`,
          msg`A new link, or the end of sharing, invalidates the old link at once.`,
        ],
      },
    ],
  },
  'compare-runs': {
    title: msg`Compare two runs`,
    parts: [
      {
        kind: 'steps',
        title: msg`See what changed`,
        items: [
          msg`Choose a run, and the earlier run to compare it with.`,
          msg`Choose one of the numbers to list those issues only: new, fixed, still there.`,
          msg`A note says when rules or scope differ. Issues that appeared or disappeared only because the rules differ are counted separately.`,
        ],
      },
    ],
  },
  branches: {
    title: msg`Branches`,
    parts: [
      {
        kind: 'steps',
        title: msg`See what a change would add`,
        items: [
          msg`Run “clearway gate” with --server, --scan and --upload in your build system, with an API key that may start runs.`,
          msg`Open a result to see its new issues, what was fixed, and what was not checked.`,
          msg`Delete results that are no longer needed. The newest 20 of each branch are kept, for at most 90 days.`,
        ],
      },
    ],
  },
  rollup: {
    title: msg`Dashboard`,
    parts: [
      {
        kind: 'steps',
        title: msg`Report on many scans`,
        items: [
          msg`Choose scans or scan groups, and how far back to look.`,
          msg`Read every chart as a table where you prefer numbers.`,
          msg`“Issues by template” lists issues of the same element on many pages: fix the template once.`,
          msg`“Print report” prints the dashboard. To get a PDF, choose “Save as PDF” in the print dialog of the browser.`,
        ],
      },
    ],
  },
  issues: {
    title: msg`Issues`,
    parts: [
      {
        kind: 'steps',
        title: msg`Work through issues`,
        items: [
          msg`Choose scans and runs, then narrow the list by impact, search and the other fields. The URL keeps the filters, so you can send it or save it as a view.`,
          msg`Open an issue to see where it is, whom it affects, and how to fix it. “Previous” and “Next” step through the list.`,
          msg`Assign it, label it, comment on it. Once it is fixed on the site, the next run marks it as fixed automatically.`,
        ],
      },
      {
        kind: 'list',
        title: msg`Good to know`,
        items: [
          msg`Ignore an issue only with a reason that others understand: for this page, this element on every page, or the whole rule.`,
          msg`Saved views keep filters and order. “Make default view” opens the list with one.`,
          msg`Exports contain everything that the filters match, not only the current page of the list. Results of axe-core from elsewhere can be uploaded to a run.`,
        ],
      },
    ],
  },
  'ignored-issues': {
    title: msg`Ignored issues`,
    parts: [
      {
        kind: 'list',
        title: msg`Good to know`,
        items: [
          msg`Set the last day of an ignore with “Ignore with a reason…”, for one issue or for a selection. Without a day, it has no end.`,
          msg`When the day has passed, the issues are open again within a minute. Each of them still shows who ignored it, and why.`,
          msg`“Ends within” shows what to decide next. “Change…” sets another day or reason; “Stop ignoring…” opens the issues at once.`,
          msg`An export has a row for each ignored issue, with reason, person and end. Changes of decisions are in the audit log.`,
        ],
      },
    ],
  },
  inbox: {
    title: msg`Inbox`,
    parts: [
      {
        kind: 'list',
        title: msg`What appears here`,
        items: [
          msg`Issues that someone else assigned to you, and comments that mention you: type @ and a name in a comment.`,
          msg`The latest run of each scan that you manage or get email about, once it is completed or failed.`,
          msg`You also get comments that mention you by email, if the server sends email. Turn that off in My account.`,
          msg`An entry is kept for 90 days. One about a scan that you can no longer see is not shown.`,
        ],
      },
    ],
  },
  pages: {
    title: msg`Pages`,
    parts: [
      {
        kind: 'steps',
        title: msg`Find out about a page`,
        items: [
          msg`Choose the state: tested, failed, or excluded. Each failed or excluded page says why, and what to do.`,
          msg`“By folder” shows the site as a tree: each folder with its tested pages, their score and templates, and the URLs that were not tested with the reasons.`,
          msg`Open a page to see its issues, its source as it was tested, and which pages link to it.`,
          msg`“Check this page again” tests a single page after you fix it, without another run. It works for pages of the latest run.`,
        ],
      },
    ],
  },
} as const satisfies Record<string, DocsPage>
