import type { ChangeCounts } from '@clearway/contract/monitor/run/schema.ts'

/** Texts of mails. `{name}` is a placeholder for a value. */
export type MailTexts = {
  finished: string
  failed: string
  newIssues: string
  cancelled: string
  intro: string
  facts: string
  run: string
  status: string
  started: string
  score: string
  pages: string
  pagesFailed: string
  pagesNotSeen: string
  limitReached: string
  changes: Readonly<Record<keyof ChangeCounts, string>>
  problem: string
  severities: { critical: string; serious: string; moderate: string; minor: string; needsReview: string }
  statuses: Readonly<Record<'completed' | 'failed' | 'cancelled', string>>
  open: string
  why: string
  /** Texts of the mail about a comment. */
  mention: { subject: string; issue: string; open: string; why: string; settings: string }
}

export const mailTextsEn: MailTexts = {
  finished: 'Run {run} of “{scan}” has finished',
  failed: 'Run {run} of “{scan}” failed',
  newIssues: 'Run {run} of “{scan}” found new issues',
  cancelled: 'Run {run} of “{scan}” was canceled',
  intro: '{product} has checked the accessibility of “{scan}”.',
  facts: 'What was found',
  run: 'Run',
  status: 'Status',
  started: 'Started',
  score: 'Accessibility score',
  pages: 'Pages tested',
  pagesFailed: 'Pages that failed',
  pagesNotSeen: 'Pages whose content was not seen',
  limitReached: 'Limit reached: known URLs not tested',
  changes: {
    new: 'New issues',
    back: 'Reappeared issues',
    fixed: 'Fixed issues',
    issuesGone: 'Issues whose page is gone',
    notRechecked: 'Issues not tested again',
    ignored: 'Ignored issues, not counted',
  },
  problem: 'Reason',
  severities: {
    critical: 'Critical issues',
    serious: 'Serious issues',
    moderate: 'Moderate issues',
    minor: 'Minor issues',
    needsReview: 'Results that need review',
  },
  statuses: { completed: 'Completed', failed: 'Failed', cancelled: 'Canceled' },
  open: 'Open the results of run {run} of “{scan}”',
  why: 'You get this message because you are a recipient of notifications of this scan. Recipients are set in the settings of the scan.',
  mention: {
    subject: '{author} mentioned you in “{scan}”',
    issue: 'Issue',
    open: 'Open the issue with all its comments',
    why: 'You get this message because a comment mentions you.',
    settings: 'Turn these emails off in My account',
  },
}
