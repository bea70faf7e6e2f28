import { useLingui } from '@lingui/react/macro'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useServerErrorText } from '../../../kit/form/use-refusal.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { IssueComments } from './comments.tsx'
import { useIssuePeople } from '../queries.ts'
import styles from './people.module.css'

type Props = { issue: IssueDetail }

/** The comments on an issue, and its labels. Hidden from those who may not take part. */
export function IssuePeople({ issue }: Props) {
  const { api } = useSession()
  const scan = useQuery(scanQuery(api, issue.scanId))
  if (!scan.data?.rights.discuss) return null
  return (
    <>
      <IssueComments key={issue.id} issue={issue} />
      <Labels issue={issue} />
    </>
  )
}

function Labels({ issue }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { label, unlabel } = useIssuePeople(issue)
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const refusal = useServerErrorText()
  const onError = (error: unknown) => {
    const refused = refusal(error, ['labels'])
    if (refused === undefined) toast('error', t(getProblemMessage(error)))
    else setFault(refused)
  }
  const add = () => {
    const name = typed.trim()
    if (name === '') return setFault(t`Labels cannot be empty.`)
    label.mutate(name, { onError, onSuccess: () => setTyped('') })
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
                onClick={() => unlabel.mutate(name, { onError })}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        noValidate
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <Field label={t`New label`} error={fault} width="narrow">
          {(control) => (
            <input
              {...control}
              maxLength={defaultLimits.nameLength}
              autoComplete="off"
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value)
                setFault(undefined)
              }}
            />
          )}
        </Field>
        <Button type="submit" small pending={label.isPending}>{t`Add label`}</Button>
      </form>
    </DetailPart>
  )
}
