import type { BranchRunBody } from '@clearway/contract/monitor/run/branch/schema.ts'

export const branchIssue: BranchRunBody['newIssues'][number] = {
  url: 'https://preview.example/',
  rule: 'image-alt',
  severity: 'critical',
  help: 'Images must have alternative text',
  helpUrl: 'https://dequeuniversity.com/rules/axe/4.14/image-alt',
  selector: 'img',
  html: '<img src="/new.png">',
  fix: 'Add an alt attribute.',
}

/** Result of a gate on a branch. */
export const buildBranchRun = (changes: Partial<BranchRunBody> = {}): BranchRunBody => ({
  branch: 'feature/cart',
  commit: '0123abc',
  buildUrl: 'https://ci.example/1',
  result: 'failed',
  axeRelease: '4.14.1',
  baselineAxe: '4.14',
  failOn: 'minor',
  totals: { new: 1, axeChanged: 0, known: 1, fixed: 0, notChecked: 0, pages: 1 },
  newIssues: [branchIssue],
  otherNewIssues: [],
  axeChangedIssues: [],
  unchecked: [],
  notChecked: [],
  fixed: [{ page: '/', rule: 'label', issues: 2 }],
  ...changes,
})
