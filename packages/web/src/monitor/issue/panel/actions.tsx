import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChoiceButton } from '../../../kit/menu/choice-button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { statusWords } from '../parts/words.ts'
import { assigneesQuery } from '../queries.ts'
import { IgnoreIssue } from './ignore.tsx'
import { useChange } from './use-change.ts'
import { getPersonName } from '../../../kit/text/person.ts'

type Props = { issue: IssueDetail }
const settable = ['open', 'fixed', 'ignored'] as const
type Settable = (typeof settable)[number]

/** Status and assignee of an issue: chosen and saved in one step, with a way back, by whoever may. */
export function IssueActions({ issue }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const scan = useQuery(scanQuery(api, issue.scanId))
  if (scan.data?.rights.discuss)
    return (
      <>
        <StatusChoice issue={issue} />
        <AssigneeChoice issue={issue} />
      </>
    )
  return <span className={layout.sm}>{t(statusWords[issue.status])}</span>
}

function StatusChoice({ issue }: Props) {
  const { t } = useLingui()
  const change = useChange(issue)
  const [asking, setAsking] = useState(false)
  // A reason for ignoring would be lost: that is not offered.
  const before = issue.ignore ? undefined : settable.find((status) => status === issue.status)
  const isSettable = settable.some((status) => status === issue.status)
  const options = isSettable ? settable : [issue.status, ...settable]
  return (
    <>
      <ChoiceButton
        label={t`Status`}
        shortcut="status"
        value={issue.status}
        options={options.map((status) => ({
          value: status,
          text: t(statusWords[status]),
          ...(status !== 'none' && { shortcut: status }),
        }))}
        extraActions={
          issue.status === 'ignored'
            ? []
            : [{ id: 'ignore', text: t`Ignore with a reason…`, onAction: () => setAsking(true) }]
        }
        onChoose={(status) =>
          void change({
            fields: { status: status as Settable },
            assumed: { status: status as Settable, ignore: null },
            saved: (changed) => t`Status changed to ${t(statusWords[changed.status])}.`,
            before: before && { status: before },
          })
        }
      />
      {asking && <IgnoreIssue issue={issue} onClose={() => setAsking(false)} />}
    </>
  )
}

function AssigneeChoice({ issue }: Props) {
  const { t } = useLingui()
  const { api, permissions } = useSession()
  const change = useChange(issue)
  const assignable = useQuery(assigneesQuery(api, issue.scanId)).data?.content
  // The person who is signed in is offered before the others are known: a key that is pressed at once finds them.
  const people = assignable ?? [permissions]
  const current = issue.assignedTo?.id ?? ''
  const left = issue.assignedTo && !people.some(({ id }) => id === current) ? [issue.assignedTo] : []
  const own = ({ id }: { id: string }) => id === permissions.id
  const me = (person: (typeof people)[number]) => {
    const name = getPersonName(person)
    return { value: person.id, text: t`Me: ${name}`, shortcut: 'me' as const }
  }
  const assumedOf = (id: string) => {
    const person = people.find((one) => one.id === id)
    return id === '' ? null : { id, name: person ? getPersonName(person) : null }
  }
  const options = [
    { value: '', text: t`Nobody` },
    // Most people give themselves something to do.
    ...people.filter(own).map(me),
    ...left.map(({ id, name }) => ({ value: id, text: name ?? t`Former member` })),
    ...people
      .filter((person) => !own(person))
      .map((person) => ({ value: person.id, text: getPersonName(person) })),
  ]
  return (
    <ChoiceButton
      label={t`Assignee`}
      shortcut="assignee"
      value={current}
      options={options}
      onChoose={(id) =>
        void change({
          fields: { assignedTo: id === '' ? null : id },
          assumed: { assignedTo: assumedOf(id) },
          saved: ({ assignedTo }) => {
            const name = assignedTo && (assignedTo.name ?? t`Former member`)
            return name ? t`Assigned to ${name}.` : t`Unassigned.`
          },
          before: { assignedTo: current === '' ? null : current },
        })
      }
    />
  )
}
