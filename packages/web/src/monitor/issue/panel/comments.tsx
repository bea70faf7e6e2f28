import { useLingui } from '@lingui/react/macro'
import type { IssueId } from '@clearway/contract/kit/id.ts'
import { partsOf } from '@clearway/contract/monitor/issue/mention/model.ts'
import { type IssueComment, type IssueDetail, issueLengths } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { MentionArea } from '../../../kit/form/mention-area.tsx'
import { useServerErrorText } from '../../../kit/form/use-refusal.ts'
import { useShortcut } from '../../../kit/keyboard/shortcuts.ts'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { LinkedText } from '../../../kit/text/linked-text.tsx'
import { useSession } from '../../user/model.ts'
import { type Mentionable, mentionables, toStored, toTyped } from '../model-mention.ts'
import { assigneesQuery, commentsQuery, useIssuePeople } from '../queries.ts'
import styles from './people.module.css'

/** Comments that were typed and not sent yet: they are there again when one comes back to the issue. */
const unsent = new Map<IssueId, string>()

/** What was said about an issue. */
export function IssueComments({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const { api } = useSession()
  const comments = useQuery(commentsQuery(api, issue.id))
  const { comment } = useIssuePeople(issue)
  const keys = useShortcut('comment')
  const people = useMentionables(issue)
  return (
    <DetailPart title={t`Comments`}>
      {comments.isError && <p>{t`The comments could not be loaded.`}</p>}
      <ul className={styles.comments}>
        {comments.data?.content.map((one) => (
          <Comment key={one.id} issue={issue} comment={one} />
        ))}
      </ul>
      <CommentForm
        label={t`New comment`}
        save={t`Add comment`}
        text={unsent.get(issue.id) ?? ''}
        keys={keys}
        pending={comment.isPending}
        onType={(text) => (text === '' ? unsent.delete(issue.id) : unsent.set(issue.id, text))}
        people={people}
        onSave={(text) => comment.mutateAsync(toStored(text, people))}
      />
    </DetailPart>
  )
}

/** Who can be mentioned in comments on an issue. */
function useMentionables(issue: IssueDetail): Mentionable[] {
  const { api } = useSession()
  return mentionables(useQuery(assigneesQuery(api, issue.scanId)).data?.content ?? [])
}

/** What was written, with those who are mentioned as they are called now. */
function CommentText({ text, mentions }: Pick<z.output<typeof IssueComment>, 'text' | 'mentions'>) {
  const { t } = useLingui()
  const names = new Map(mentions.map(({ id, name }) => [id, name]))
  return partsOf(text, new Set(names.keys())).map((part, i) =>
    typeof part === 'string' ? (
      <LinkedText key={i} text={part} />
    ) : (
      <span key={i} className={layout.strong}>
        @{names.get(part.id) ?? t`Former member`}
      </span>
    ),
  )
}

/** One comment; its author can change it in place. */
function Comment({ issue, comment }: { issue: IssueDetail; comment: z.output<typeof IssueComment> }) {
  const { t } = useLingui()
  const toast = useToast()
  const { formatDateTime: dateTime } = useFormats()
  const { edit, uncomment } = useIssuePeople(issue)
  const [editing, setEditing] = useState(false)
  const { id, author, text, mentions, createdAt, editedAt, canDelete, canEdit } = comment
  const people = useMentionables(issue)
  return (
    <li>
      <p className={`${layout.muted} ${layout.sm}`}>
        {author?.name ?? t`Former member`}, {dateTime(createdAt)}
        {editedAt && (
          <>
            {' '}
            <span title={dateTime(editedAt)}>{t`(edited)`}</span>
          </>
        )}
      </p>
      {editing ? (
        <CommentForm
          label={t`Edit comment`}
          save={t`Save comment`}
          text={toTyped(text, people, mentions)}
          people={people}
          autoFocus
          pending={edit.isPending}
          onSave={(changed) =>
            edit.mutateAsync({ id, text: toStored(changed, people, mentions) }).then(() => setEditing(false))
          }
          onCancel={() => setEditing(false)}
        />
      ) : (
        <p className={styles.text}>
          <CommentText text={text} mentions={mentions} />
        </p>
      )}
      {!editing && (canDelete || canEdit) && (
        <div className={layout.line}>
          {canEdit && <Button small kind="quiet" onPress={() => setEditing(true)}>{t`Edit comment`}</Button>}
          {canDelete && (
            <Button
              small
              kind="quiet"
              onPress={() =>
                uncomment.mutate(id, { onError: (error) => toast('error', t(getProblemMessage(error))) })
              }
            >{t`Delete comment`}</Button>
          )}
        </div>
      )}
    </li>
  )
}

type FormProps = {
  label: string
  save: string
  text: string
  people: readonly Mentionable[]
  keys?: ReturnType<typeof useShortcut>
  autoFocus?: boolean
  pending: boolean
  onType?: (text: string) => void
  onSave: (text: string) => Promise<unknown>
  onCancel?: () => void
}

/** The text of a comment. What was typed stays until it is stored, and what the server refuses is said at the field. */
function CommentForm(props: FormProps) {
  const { label, save, text, people, keys, autoFocus, pending, onType, onSave, onCancel } = props
  const { t } = useLingui()
  const toast = useToast()
  const [typed, setTyped] = useState(text)
  const [fault, setFault] = useState<string>()
  const refusal = useServerErrorText()
  const type = (next: string) => {
    setTyped(next)
    onType?.(next)
  }
  const submit = () => {
    if (typed.trim() === '') return setFault(t`Write something first.`)
    void onSave(typed.trim()).then(
      () => type(''),
      (error: unknown) => {
        const refused = refusal(error, ['text'])
        if (refused === undefined) toast('error', t(getProblemMessage(error)))
        else setFault(refused)
      },
    )
  }
  return (
    <form
      noValidate
      className={layout.stack}
      onSubmit={(event) => {
        event.preventDefault()
        if (!pending) submit()
      }}
    >
      <Field label={label} hint={t`Type @ to mention somebody.`} error={fault}>
        {(control) => (
          <MentionArea
            control={control}
            shortcutProps={keys}
            autoFocus={autoFocus}
            value={typed}
            maxLength={issueLengths.text}
            people={people}
            onChange={(text) => {
              type(text)
              setFault(undefined)
            }}
          />
        )}
      </Field>
      <div className={layout.line}>
        <Button type="submit" small pending={pending}>
          {save}
        </Button>
        {onCancel && <Button small kind="quiet" onPress={onCancel}>{t`Cancel`}</Button>}
      </div>
    </form>
  )
}
