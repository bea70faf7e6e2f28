import type { IssueId, ScanId } from '@clearway/contract/kit/id.ts'
import type { IssueDetail, IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useSession, type MonitorApi } from '../user/model.ts'

/** Whom the issues of a scan can be given to. */
export const assigneesQuery = (api: MonitorApi, scanId: ScanId) =>
  queryOptions({
    queryKey: ['scan', scanId, 'users'],
    queryFn: ({ signal }) => api.scanUsers({ params: { id: scanId } }, signal),
    staleTime: 60_000,
  })

export const commentsQuery = (api: MonitorApi, id: IssueId) =>
  queryOptions({
    queryKey: ['issue', id, 'comments'],
    queryFn: ({ signal }) => api.listIssueComments({ params: { id } }, signal),
  })

/** What people do with one issue. A change that meets a newer one is refused: the panel then shows what is there. */
export function useIssuePeople(issue: IssueDetail) {
  const { api } = useSession()
  const client = useQueryClient()
  const params = { id: issue.id }
  const onSettled = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [first] }) => first === 'issue' || first === 'issues',
    })
  const change = useMutation({
    mutationFn: (fieldsToUpdate: IssueFields) =>
      api.updateIssue({ params, body: { fieldsToUpdate, version: issue.version } }),
    onSettled,
  })
  const label = useMutation({
    mutationFn: (name: string) => api.addIssueLabels({ params, body: { labels: [name] } }),
    onSettled,
  })
  const unlabel = useMutation({
    mutationFn: (name: string) => api.removeIssueLabel({ params, body: { label: name } }),
    onSettled,
  })
  const comment = useMutation({
    mutationFn: (text: string) => api.addIssueComment({ params, body: { text } }),
    onSettled,
  })
  const uncomment = useMutation({
    mutationFn: (id: string) => api.deleteIssueComment({ params: { ...params, comment: id } }),
    onSettled,
  })
  return { change, label, unlabel, comment, uncomment }
}
