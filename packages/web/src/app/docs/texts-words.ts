import { msg } from '@lingui/core/macro'
import type { DocsPage } from './part.ts'

/** What newcomers read, and what words and roles mean. */
export const wordsPages = {
  start: {
    title: msg`First steps`,
    parts: [
      {
        kind: 'steps',
        title: msg`Test a site for the first time`,
        items: [
          msg`Open “Scans”, choose “New scan”, and give it a name and the URL of the site.`,
          msg`Everything else may stay as it is: choose “Create scan” on any step. The first run starts at once.`,
          msg`Watch the run on the overview, or leave: it goes on by itself.`,
          msg`When it is complete, begin with “Where to start”: it names what gains most.`,
          msg`Fix it on the site and start another run: it says what is fixed and what is new.`,
        ],
      },
      {
        kind: 'list',
        title: msg`Keys`,
        items: [
          msg`Everything works by keyboard alone: Tab goes on, Shift and Tab go back, Enter follows a link or presses a button.`,
          msg`The first stop of every screen skips to its main content. Escape closes a dialog, a menu or a detail, and the focus returns to where it was.`,
          msg`In menus and lists of choices the arrow keys move, and letters lead to the entry that begins with them.`,
        ],
      },
    ],
  },
  words: {
    title: msg`What words mean`,
    parts: [
      {
        kind: 'terms',
        title: msg`Words`,
        items: [
          {
            name: msg`Scan`,
            text: msg`What is to be tested, and how: URLs, rules, sign-in, schedule. A scan has many runs.`,
          },
          {
            name: msg`Run`,
            text: msg`One go of a scan: it visits the pages, tests each, and compares with the run before.`,
          },
          {
            name: msg`Health`,
            text: msg`A page is rated by its worst open issue: critical, serious or moderate. Otherwise it is good, even with minor issues.`,
          },
          {
            name: msg`Score`,
            text: msg`The mean over the tested pages of a run: 0 for a critical page, 40 for a serious one, 80 for a moderate one, 100 for a good one. 100 is shown only when every page is good.`,
          },
          {
            name: msg`Issue`,
            text: msg`One element that fails one rule on one page. It is known again from run to run, and keeps its person, labels and comments.`,
          },
          {
            name: msg`Needs review`,
            text: msg`The rules cannot decide it: a person has to look. It counts nowhere until somebody marks it as an issue.`,
          },
          {
            name: msg`New`,
            text: msg`Not in the run before. In a first run that is everything, so dashboards leave it out.`,
          },
          {
            name: msg`Fixed`,
            text: msg`No longer found on a page that was tested again. Found once more, it is “reappeared”.`,
          },
          {
            name: msg`Ignored`,
            text: msg`Somebody decided that it need not be fixed, and said why. It counts nowhere, in later runs as well, until that is undone.`,
          },
          {
            name: msg`Common components`,
            text: msg`A part that appears on many pages, such as a header. Its issues are reported once per run, with the number of pages: fix it once.`,
          },
        ],
      },
    ],
  },
  roles: {
    title: msg`Who may do what`,
    parts: [
      {
        kind: 'terms',
        title: msg`Roles`,
        items: [
          {
            name: msg`Administration`,
            text: msg`Administrators see every scan. They alone change presets, shared scripts, permissions, how long runs stay, and the access of many teams at once.`,
          },
          {
            name: msg`Scan Admin`,
            text: msg`Changes and deletes the scan, its schedule, preset, scripts and teams, and shares it publicly, plus everything that a member can do.`,
          },
          {
            name: msg`Scan Member`,
            text: msg`Starts and cancels runs, marks results as issues or not, deletes issues and pages, uploads issues; and all that a viewer may.`,
          },
          {
            name: msg`Scan Viewer`,
            text: msg`Sees runs, pages and issues, exports them, comments, labels, assigns and sets their status.`,
          },
          {
            name: msg`Guest`,
            text: msg`Whoever has the link of a scan that is shared reads that scan alone, without comments and without names of people.`,
          },
        ],
      },
      {
        kind: 'list',
        title: msg`What everybody sees`,
        items: [msg`Only people who have a role on a scan, through a team or a scan group, can see it.`],
      },
    ],
  },
} as const satisfies Record<string, DocsPage>
