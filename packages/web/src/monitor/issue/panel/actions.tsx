import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChoiceButton } from '../../../kit/menu/choice-button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { statusLabels } from './value-labels.ts'
import { assigneesQuery } from '../queries.ts'
import { IgnoreIssue } from './ignore.tsx'
import { useChangeIssue } from './use-change-issue.ts'
import { getPersonName } from '../../../kit/text/person.ts'

type IssueActionsProps = { issue: IssueDetail }
const settableStatuses = ['open', 'fixed', 'ignored'] as const
type SettableStatus = (typeof settableStatuses)[number]

/** Status and assignee of an issue for permitted users. Each choice is saved at once and can be undone. */
export function IssueActions({ issue }: IssueActionsProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const scanResult = useQuery(scanQuery(apiClient, issue.scanId))
  if (scanResult.data?.rights.discuss)
    return (
      <>
        <StatusChoice issue={issue} />
        <AssigneeChoice issue={issue} />
      </>
    )
  return <span className={layout.sm}>{t(statusLabels[issue.status])}</span>
}

function StatusChoice({ issue }: IssueActionsProps) {
  const { t } = useLingui()
  const changeIssue = useChangeIssue(issue)
  const [isIgnoreOpen, setIsIgnoreOpen] = useState(false)
  // Undo is not offered for ignored issues because it would lose the reason.
  const previousStatus = issue.ignore ? undefined : settableStatuses.find((status) => status === issue.status)
  const isStatusSettable = settableStatuses.some((status) => status === issue.status)
  const statusOptions = isStatusSettable ? settableStatuses : [issue.status, ...settableStatuses]
  return (
    <>
      <ChoiceButton
        label={t`Status`}
        shortcut="status"
        value={issue.status}
        options={statusOptions.map((status) => ({
          value: status,
          text: t(statusLabels[status]),
          ...(status !== 'none' && { shortcut: status }),
        }))}
        extraActions={
          issue.status === 'ignored'
            ? []
            : [{ id: 'ignore', text: t`Ignore with a reason…`, onAction: () => setIsIgnoreOpen(true) }]
        }
        onChoose={(status) =>
          void changeIssue({
            fields: { status: status as SettableStatus },
            optimisticUpdate: { status: status as SettableStatus, ignore: null },
            getSavedMessage: (changed) => t`Status changed to ${t(statusLabels[changed.status])}.`,
            previousFields: previousStatus && { status: previousStatus },
          })
        }
      />
      {isIgnoreOpen && <IgnoreIssue issue={issue} onClose={() => setIsIgnoreOpen(false)} />}
    </>
  )
}

function AssigneeChoice({ issue }: IssueActionsProps) {
  const { t } = useLingui()
  const { api: apiClient, permissions } = useSession()
  const changeIssue = useChangeIssue(issue)
  const assignablePeople = useQuery(assigneesQuery(apiClient, issue.scanId)).data?.content
  // The current user is available before the others are loaded, so that an early shortcut works.
  const selectablePeople = assignablePeople ?? [permissions]
  const currentAssigneeId = issue.assignedTo?.id ?? ''
  const formerAssignees =
    issue.assignedTo && !selectablePeople.some(({ id }) => id === currentAssigneeId) ? [issue.assignedTo] : []
  const isOwnUser = ({ id }: { id: string }) => id === permissions.id
  const createOwnOption = (person: (typeof selectablePeople)[number]) => {
    const name = getPersonName(person)
    return { value: person.id, text: t`Me: ${name}`, shortcut: 'me' as const }
  }
  const getOptimisticAssignee = (id: string) => {
    const assignee = selectablePeople.find((candidate) => candidate.id === id)
    return id === '' ? null : { id, name: assignee ? getPersonName(assignee) : null }
  }
  const assigneeOptions = [
    { value: '', text: t`Nobody` },
    // Users assign most issues to themselves.
    ...selectablePeople.filter(isOwnUser).map(createOwnOption),
    ...formerAssignees.map(({ id, name }) => ({ value: id, text: name ?? t`Former member` })),
    ...selectablePeople
      .filter((person) => !isOwnUser(person))
      .map((person) => ({ value: person.id, text: getPersonName(person) })),
  ]
  return (
    <ChoiceButton
      label={t`Assignee`}
      shortcut="assignee"
      value={currentAssigneeId}
      options={assigneeOptions}
      onChoose={(id) =>
        void changeIssue({
          fields: { assignedTo: id === '' ? null : id },
          optimisticUpdate: { assignedTo: getOptimisticAssignee(id) },
          getSavedMessage: ({ assignedTo }) => {
            const assigneeName = assignedTo && (assignedTo.name ?? t`Former member`)
            return assigneeName ? t`Assigned to ${assigneeName}.` : t`Unassigned.`
          },
          previousFields: { assignedTo: currentAssigneeId === '' ? null : currentAssigneeId },
        })
      }
    />
  )
}
