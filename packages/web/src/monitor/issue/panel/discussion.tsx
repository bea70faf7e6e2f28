import { useLingui } from '@lingui/react/macro'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { useServerErrorText } from '../../../kit/form/use-server-error-text.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { IssueComments } from './comments.tsx'
import { useIssueMutations } from '../queries-change.ts'
import { OnDemand } from './on-demand.tsx'
import styles from './discussion.module.css'

type IssueDiscussionProps = { issue: IssueDetail }

/** Comments and labels of an issue. Hidden from users who may not participate. */
export function IssueDiscussion({ issue }: IssueDiscussionProps) {
  const { api: apiClient } = useSession()
  const scanResult = useQuery(scanQuery(apiClient, issue.scanId))
  if (!scanResult.data?.rights.discuss) return null
  return (
    <>
      <IssueComments key={issue.id} issue={issue} />
      <IssueLabels issue={issue} />
    </>
  )
}

function IssueLabels({ issue }: IssueDiscussionProps) {
  const { t } = useLingui()
  const showErrorToast = useShowError()
  const { label: addLabel, unlabel: removeLabel } = useIssueMutations(issue)
  const [typedLabel, setTypedLabel] = useState('')
  const [fieldError, setFieldError] = useState<string>()
  const getServerErrorText = useServerErrorText()
  const showError = (error: unknown) => {
    const serverErrorText = getServerErrorText(error, ['labels'])
    if (serverErrorText === undefined) showErrorToast(error)
    else setFieldError(serverErrorText)
  }
  const submitLabel = () => {
    const labelName = typedLabel.trim()
    if (labelName === '') return setFieldError(t`Labels cannot be empty.`)
    addLabel.mutate(labelName, { onError: showError, onSuccess: () => setTypedLabel('') })
  }
  return (
    <DetailPart title={t`Labels`}>
      {issue.labels.length > 0 && (
        <ul className={styles.labels}>
          {issue.labels.map((name) => (
            <li key={name}>
              {name}
              <button
                type="button"
                aria-label={t`Remove label: ${name}`}
                onClick={() => removeLabel.mutate(name, { onError: showError })}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <OnDemand key={issue.id} label={t`Add a label…`}>
        <form
          noValidate
          className={styles.line}
          onSubmit={(event) => {
            event.preventDefault()
            submitLabel()
          }}
        >
          <Field label={t`New label`} error={fieldError} width="narrow">
            {(control) => (
              <input
                {...control}
                maxLength={defaultLimits.nameLength}
                autoComplete="off"
                value={typedLabel}
                onChange={({ target }) => {
                  setTypedLabel(target.value)
                  setFieldError(undefined)
                }}
              />
            )}
          </Field>
          <Button type="submit" small pending={addLabel.isPending}>{t`Add label`}</Button>
        </form>
      </OnDemand>
    </DetailPart>
  )
}
