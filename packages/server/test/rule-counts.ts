import type { IssueGroup, IssueList, IssueSummary } from '@clearway/contract/monitor/issue/schema.ts'
import { expect } from 'vitest'

/** Lists and groups that add up the counts of rules are those of all open issues. */
export async function expectRuleCounts(
  getBody: <T>(path: string) => Promise<T>,
  { scan, run }: { scan: string; run: number },
  openIssues: readonly IssueSummary[],
): Promise<void> {
  const listPath = `scanId=${scan}&runNumber=${run}&status=open&size=500`
  const listIds = async (query: string) => {
    const { totalIssues, content } = await getBody<IssueList>(`/issues?${listPath}&${query}`)
    return [totalIssues, ...content.map(({ id }) => id)]
  }
  const expectIds = async (query: string, issues: readonly IssueSummary[]) =>
    expect([query, ...(await listIds(query))]).toEqual([query, issues.length, ...issues.map(({ id }) => id)])
  await expectIds('engine=axe', openIssues)
  await expectIds(
    'rule=image-alt&rule=color-contrast',
    openIssues.filter(({ rule }) => ['image-alt', 'color-contrast'].includes(rule)),
  )
  await expectIds(
    'needsReview=false&sort=rule,desc',
    openIssues
      .filter(({ severity }) => severity !== 'needs review')
      .toSorted((a, b) => (a.rule === b.rule ? (a.id < b.id ? -1 : 1) : a.rule < b.rule ? 1 : -1)),
  )
  const { content: groups } = await getBody<{ content: IssueGroup[] }>(`/issues/groups?by=rule&${listPath}`)
  const pagesByRule = [...Map.groupBy(openIssues, ({ rule }) => rule)].map(([rule, issues]) => {
    const counted = issues.filter(({ severity }) => severity !== 'needs review')
    return [rule, new Set((counted.length > 0 ? counted : issues).map(({ pageId }) => pageId)).size] as const
  })
  expect(new Map(groups.map(({ name, pages }) => [name, pages]))).toEqual(new Map(pagesByRule))
}
