import { msg } from '@lingui/core/macro'
import type { DocsPage } from './part.ts'

/** Help for beginners, terms and roles. */
export const introductionPages = {
  start: {
    title: msg`First steps`,
    parts: [
      {
        kind: 'steps',
        title: msg`Test a site for the first time`,
        items: [
          msg`Open “Scans”, choose “New scan”, and give it a name and the URL of the site.`,
          msg`Everything else is optional: choose “Create scan” on any step. The first run starts at once.`,
          msg`Watch the run on the overview, or leave the page: the run continues.`,
          msg`When it is complete, begin with “Where to start”: it shows which fixes raise the score most.`,
          msg`Fix it on the site and start another run: it says what is fixed and what is new.`,
        ],
      },
      {
        kind: 'list',
        title: msg`Keys`,
        items: [
          msg`Everything works by keyboard alone: Tab moves forward, Shift and Tab move back, Enter follows a link or presses a button.`,
          msg`The first Tab stop on every screen skips to the main content. Escape closes a dialog, a menu or a detail, and the focus returns to where it was.`,
          msg`In menus and option lists, use the arrow keys to move, or type the first letters of an entry.`,
          msg`A toolbar and the headings of a table are one Tab stop each: the left and right arrow keys move in them. Escape hides the arrows that say so.`,
        ],
      },
    ],
  },
  words: {
    title: msg`Terms`,
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
            text: msg`One pass of a scan: it visits the pages, tests each one, and compares the results with the previous run.`,
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
            text: msg`One element that fails one rule on one page. It is recognized from run to run, and keeps its assignee, labels and comments.`,
          },
          {
            name: msg`Needs review`,
            text: msg`The rules cannot decide it: a person has to check. It is not counted until a person marks it as an issue.`,
          },
          {
            name: msg`New`,
            text: msg`Not found in the previous run. In a first run, that applies to every issue, so dashboards do not show it.`,
          },
          {
            name: msg`Fixed`,
            text: msg`No longer found on a page that was tested again. If it is found again, it is “reappeared”.`,
          },
          {
            name: msg`Ignored`,
            text: msg`Someone decided that it does not need to be fixed, and gave a reason. It is not counted, in this run or later ones, until that is undone.`,
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
            text: msg`Administrators see every scan. Only they change presets, shared scripts, permissions, retention, and the access of many teams at once.`,
          },
          {
            name: msg`Scan Admin`,
            text: msg`Changes and deletes the scan, its schedule, preset, scripts and teams, and shares it publicly, plus everything that a member can do.`,
          },
          {
            name: msg`Scan Member`,
            text: msg`Starts and cancels runs, marks results as issues or not, deletes issues and pages, and uploads issues, plus everything that a viewer can do.`,
          },
          {
            name: msg`Scan Viewer`,
            text: msg`Sees runs, pages and issues, exports them, comments, labels, assigns and sets their status.`,
          },
          {
            name: msg`Guest`,
            text: msg`Anybody who has the link of a shared scan can read that scan only, without comments or names of people.`,
          },
        ],
      },
      {
        kind: 'list',
        title: msg`What everyone sees`,
        items: [msg`Only people who have a role on a scan, through a team or a scan group, can see it.`],
      },
    ],
  },
} as const satisfies Record<string, DocsPage>
