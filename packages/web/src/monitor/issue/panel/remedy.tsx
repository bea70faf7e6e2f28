import { useLingui } from '@lingui/react/macro'
import { type IssueDetail, issueLengths } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { SaveFailure } from '../../../kit/form/save-failure.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useServerErrorText } from '../../../kit/form/use-refusal.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { useIssuePeople } from '../queries.ts'
import layout from '../../../kit/page/layout.module.css'

/** What people wrote on how to fix this issue. A text that the server refuses stays in its field. */
export function IssueRemedy({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const { api } = useSession()
  const toast = useToast()
  const rights = useQuery(scanQuery(api, issue.scanId)).data?.rights
  const { change } = useIssuePeople(issue)
  const refused = useServerErrorText()(change.error, ['fieldsToUpdate.remediationComment'])
  const stored = issue.remediationComment ?? ''
  // Null until somebody types: then what was typed stays, whatever others store meanwhile.
  const [typed, setTyped] = useState<string | null>(null)
  if (!rights?.discuss) return null
  const save = () => {
    const text = (typed ?? stored).trim()
    change.mutate(
      { fields: { remediationComment: text === '' ? null : text } },
      {
        onSuccess: () => {
          setTyped(null)
          toast('confirmation', t`Remediation notes saved.`)
        },
      },
    )
  }
  return (
    <DetailPart title={t`Remediation notes`}>
      {change.isError && refused === undefined && (
        <SaveFailure
          title={t`The notes could not be saved.`}
          error={change.error}
          onRetry={save}
          onOverwrite={save}
        />
      )}
      <form
        className={layout.tight}
        onSubmit={(event) => {
          event.preventDefault()
          if (!change.isPending) save()
        }}
      >
        <Field label={t`Notes`} hint={t`Stays with the issue from run to run.`} error={refused}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={issueLengths.text}
              value={typed ?? stored}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" small pending={change.isPending}>{t`Save notes`}</Button>
        </div>
      </form>
    </DetailPart>
  )
}
