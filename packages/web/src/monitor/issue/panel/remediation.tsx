import { useLingui } from '@lingui/react/macro'
import { type IssueDetail, maxIssueLengths } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../kit/control/button.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { SaveFailure } from '../../../kit/form/save-failure.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useDraft } from '../../user/parts/use-draft.ts'
import { useServerErrorText } from '../../../kit/form/use-server-error-text.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { useIssueMutations } from '../queries-change.ts'
import { OnDemand } from './on-demand.tsx'
import styles from './discussion.module.css'
import layout from '../../../kit/page/layout.module.css'

/** Remediation notes of the team. Text that the server refuses stays in its field. */
export function IssueRemediation({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const showToast = useToast()
  const scanRights = useQuery(scanQuery(apiClient, issue.scanId)).data?.rights
  const { change: changeMutation } = useIssueMutations(issue)
  const serverErrorText = useServerErrorText()(changeMutation.error, ['fieldsToUpdate.remediationComment'])
  const storedText = issue.remediationComment ?? ''
  // Null until the user types. Typed text then stays, even if others save a change.
  const [typedText, setTypedText] = useDraft('remediation', issue.id)
  if (!scanRights?.discuss) return null
  const saveNotes = () => {
    const trimmedText = (typedText ?? storedText).trim()
    changeMutation.mutate(
      { fields: { remediationComment: trimmedText === '' ? null : trimmedText } },
      {
        onSuccess: () => {
          setTypedText(null)
          showToast('confirmation', t`Remediation notes saved.`)
        },
      },
    )
  }
  return (
    <DetailPart title={t`Remediation notes`}>
      {changeMutation.isError && serverErrorText === undefined && (
        <SaveFailure
          title={t`The notes could not be saved.`}
          error={changeMutation.error}
          onRetry={saveNotes}
          onOverwrite={saveNotes}
        />
      )}
      {storedText !== '' && <p className={styles.text}>{storedText}</p>}
      <OnDemand label={storedText === '' ? t`Add notes…` : t`Change the notes…`} hasDraft={typedText !== null}>
        <form
          className={layout.tight}
          onSubmit={(event) => {
            event.preventDefault()
            if (!changeMutation.isPending) saveNotes()
          }}
        >
          <Field label={t`Notes`} hint={t`Stays with the issue from run to run.`} error={serverErrorText}>
            {(control) => (
              <textarea
                {...control}
                rows={3}
                maxLength={maxIssueLengths.text}
                value={typedText ?? storedText}
                onChange={({ target }) => setTypedText(target.value)}
              />
            )}
          </Field>
          <div>
            <Button type="submit" small pending={changeMutation.isPending}>{t`Save notes`}</Button>
          </div>
        </form>
      </OnDemand>
    </DetailPart>
  )
}
