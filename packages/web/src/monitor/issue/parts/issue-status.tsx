import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { DetailPart } from '../../../kit/detail-panel.tsx'
import { Field } from '../../../kit/field.tsx'
import { problemText } from '../../../kit/problem-text.ts'
import { useToast } from '../../../kit/toast.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { useIssueStatus } from '../queries.ts'
import { IgnoreButton, IgnoreFacts } from './issue-ignore.tsx'
import { statusWords } from './words.ts'

const settable = ['open', 'fixed', 'ignored'] as const

/** Status of an issue, changed by whoever may, and why it is ignored. */
export function IssueStatusPart({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const { api } = useSession()
  const toast = useToast()
  const scan = useQuery(scanQuery(api, issue.scanId))
  const change = useIssueStatus(issue)
  const set = (status: (typeof settable)[number]) =>
    change.mutate(status, {
      onSuccess: () => toast('confirmation', t`Status changed to ${t(statusWords[status])}.`),
      onError: (error) => toast('error', t(problemText(error))),
    })
  const current = settable.find((status) => status === issue.status)
  return (
    <DetailPart title={t`Status`}>
      {scan.data?.rights.discuss ? (
        <Field label={t`Status`} hint={t`Ignored issues count nowhere.`} width="narrow">
          {(control) => (
            <select
              {...control}
              value={current ?? ''}
              disabled={change.isPending}
              onChange={({ target }) => set(target.value as (typeof settable)[number])}
            >
              {current === undefined && <option value="">{t(statusWords[issue.status])}</option>}
              {settable.map((status) => (
                <option key={status} value={status}>
                  {t(statusWords[status])}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : (
        <p>{t(statusWords[issue.status])}</p>
      )}
      <IgnoreFacts issue={issue} />
      {scan.data?.rights.discuss && issue.status !== 'ignored' && <IgnoreButton issue={issue} />}
    </DetailPart>
  )
}
