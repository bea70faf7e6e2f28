import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { ChoiceField } from '../../../kit/form/choice-field.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { problemText } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { useIssueStatus, useTakeBack } from '../queries.ts'
import { IgnoreButton, IgnoreFacts } from './ignore.tsx'
import { statusWords } from '../parts/words.ts'

const settable = ['open', 'fixed', 'ignored'] as const
type Settable = (typeof settable)[number]

/** Status of an issue, changed by whoever may, and why it is ignored. */
export function IssueStatusPart({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const { api } = useSession()
  const toast = useToast()
  const scan = useQuery(scanQuery(api, issue.scanId))
  const change = useIssueStatus(issue)
  const takeBack = useTakeBack()
  // A reason for ignoring would be lost: that is not offered.
  const before = issue.ignore ? undefined : settable.find((status) => status === issue.status)
  const set = (status: Settable) =>
    change.mutate(status, {
      onSuccess: ({ version }) => {
        const undo =
          before && (() => takeBack.mutate({ id: issue.id, version, fieldsToUpdate: { status: before } }))
        toast('confirmation', t`Status changed to ${t(statusWords[status])}.`, undo)
      },
      onError: (error) => toast('error', t(problemText(error))),
    })
  const current = settable.some((status) => status === issue.status)
  const shown = current ? settable : [issue.status, ...settable]
  return (
    <DetailPart title={t`Status`}>
      {scan.data?.rights.discuss ? (
        <ChoiceField
          key={issue.id}
          label={t`Status`}
          hint={t`Ignored issues count nowhere.`}
          value={issue.status}
          options={shown.map((status) => ({ value: status, text: t(statusWords[status]) }))}
          save={t`Save`}
          saveLabel={t`Save status`}
          pending={change.isPending}
          onSave={(status) => set(status as Settable)}
        />
      ) : (
        <p>{t(statusWords[issue.status])}</p>
      )}
      <IgnoreFacts issue={issue} />
      {scan.data?.rights.discuss && issue.status !== 'ignored' && <IgnoreButton issue={issue} />}
    </DetailPart>
  )
}
