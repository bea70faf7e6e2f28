import {
  exclusionProofs,
  failureProofs,
  noticeProofs,
  type PageProof,
} from '../packages/contract/src/monitor/page/proof/model.ts'

const proofTexts: Record<PageProof, string> = {
  'presence-and-absence': 'issues found on the page are there; missing ones are **fixed**',
  'presence-and-absence-outside-frames':
    'issues found on the page are there; missing ones are **fixed**, those inside frames **not rechecked**',
  presence: 'issues found on the page are there; missing ones are **not rechecked**',
  nothing: 'the page was not seen: its issues are **not rechecked**',
  'page-gone': 'the page has left the site or the scan: **page gone**',
  'page-gone-in-clear-run':
    '**page gone** in a run that tested everything, met at least half of the pages of the previous run, and met no wall; otherwise **not rechecked**',
}

const buildRows = (proofTable: Readonly<Record<string, PageProof>>): string =>
  Object.entries(proofTable)
    .map(([reason, proof]) => `| \`${reason}\` | ${proofTexts[proof]} |`)
    .join('\n')
const buildSection = (heading: string, column: string, proofTable: Readonly<Record<string, PageProof>>): string =>
  `## ${heading}\n\n| ${column} | It proves |\n| --- | --- |\n${buildRows(proofTable)}\n`

/** Builds the documentation page of what the outcome of a page proves. */
export const buildProofTable = (): string =>
  [
    `# Proof

The outcome of a page decides the change of issues that a run did not find on it. The same holds for a re-check of one page.
An issue is fixed only if, in addition, the rule was enabled, and the window, the sign-in and the user agent were those of
the run that found it. Pages of the last whole run that no link leads to any longer are visited after all others, within the page
limit. A page that a run did not meet at all is gone only in a run that tested everything and met at least half of the pages of
the previous run; a state of a script, only if the script did not fail. A banner is gone after two whole runs in a row that looked
for it on pages of its site and did not meet it; in scans that sign in, never.
`,
    buildSection('Notices of tested pages', 'Notice', noticeProofs),
    buildSection('Failures', 'Failure', failureProofs),
    `${buildSection('Exclusions', 'Exclusion', exclusionProofs)}
A page that was visited before it was excluded proves that it is gone only in a run that meets these conditions: the site
decided where the URL leads.
`,
  ].join('\n')
