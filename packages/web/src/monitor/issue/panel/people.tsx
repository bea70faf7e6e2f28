import { useLingui } from '@lingui/react/macro'
import type { IssueId } from '@clearway/contract/kit/id.ts'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { LinkedText } from '../../../kit/text/linked-text.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import { problemText } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useRefusal } from '../../../kit/form/use-refusal.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { commentsQuery, useIssuePeople } from '../queries.ts'
import { useShortcut } from '../../../kit/keyboard/shortcuts.ts'
import layout from '../../../kit/page/layout.module.css'
import styles from './people.module.css'

type Props = { issue: IssueDetail }

/** The comments on an issue, and its labels. Hidden from those who may not take part. */
export function IssuePeople({ issue }: Props) {
  const { api } = useSession()
  const scan = useQuery(scanQuery(api, issue.scanId))
  if (!scan.data?.rights.discuss) return null
  return (
    <>
      <Comments key={issue.id} issue={issue} />
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
  const refusal = useRefusal()
  const onError = (error: unknown) => {
    const refused = refusal(error, ['labels'])
    if (refused === undefined) toast('error', t(problemText(error)))
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
              maxLength={255}
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

/** Comments that were typed and not sent yet: they are there again when one comes back to the issue. */
const unsent = new Map<IssueId, string>()

function Comments({ issue }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const toast = useToast()
  const { dateTime } = useFormats()
  const comments = useQuery(commentsQuery(api, issue.id))
  const { comment, uncomment } = useIssuePeople(issue)
  const keys = useShortcut('comment')
  const [typed, setTyped] = useState(unsent.get(issue.id) ?? '')
  const type = (text: string) => {
    setTyped(text)
    if (text === '') unsent.delete(issue.id)
    else unsent.set(issue.id, text)
  }
  const [fault, setFault] = useState<string>()
  const refusal = useRefusal()
  const onError = (error: unknown) => {
    const refused = refusal(error, ['text'])
    if (refused === undefined) toast('error', t(problemText(error)))
    else setFault(refused)
  }
  const add = () => {
    if (typed.trim() === '') return setFault(t`Write something first.`)
    // What was typed stays until it is stored.
    void comment.mutateAsync(typed.trim()).then(() => type(''), onError)
  }
  return (
    <DetailPart title={t`Comments`}>
      {comments.isError && <p>{t`The comments could not be loaded.`}</p>}
      <ul className={styles.comments}>
        {comments.data?.content.map(({ id, author, text, createdAt, own }) => (
          <li key={id}>
            <p className={`${layout.muted} ${layout.sm}`}>
              {author?.name ?? t`Somebody who has left`}, {dateTime(createdAt)}
            </p>
            <p className={styles.text}>
              <LinkedText text={text} />
            </p>
            {own && (
              <Button
                small
                kind="quiet"
                onPress={() => uncomment.mutate(id, { onError })}
              >{t`Delete comment`}</Button>
            )}
          </li>
        ))}
      </ul>
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <Field label={t`New comment`} error={fault}>
          {(control) => (
            <textarea
              {...control}
              {...keys}
              rows={3}
              maxLength={10_000}
              value={typed}
              onChange={({ target }) => {
                type(target.value)
                setFault(undefined)
              }}
            />
          )}
        </Field>
        <div>
          <Button type="submit" small pending={comment.isPending}>{t`Add comment`}</Button>
        </div>
      </form>
    </DetailPart>
  )
}
