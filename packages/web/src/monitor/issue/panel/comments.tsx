import { useLingui } from '@lingui/react/macro'
import { splitComment } from '@clearway/contract/monitor/issue/mention/model.ts'
import { type IssueComment, type IssueDetail, maxIssueLengths } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { Field } from '../../../kit/form/field.tsx'
import { MentionArea } from '../../../kit/form/mention-area.tsx'
import { useDraft } from '../../user/parts/use-draft.ts'
import { useServerErrorText } from '../../../kit/form/use-server-error-text.ts'
import { useShortcut } from '../../../kit/keyboard/shortcuts.ts'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { LinkedText } from '../../../kit/text/linked-text.tsx'
import { useSession } from '../../user/model.ts'
import { type Mentionable, toMentionables, toStoredText, toTypedText } from '../model-mention.ts'
import { assigneesQuery, commentsQuery } from '../queries.ts'
import { useIssueMutations } from '../queries-change.ts'
import styles from './discussion.module.css'

export function IssueComments({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const commentList = useQuery(commentsQuery(apiClient, issue.id))
  const { comment: addComment } = useIssueMutations(issue)
  const shortcutProps = useShortcut('comment')
  const mentionablePeople = useMentionables(issue)
  const [draft, setDraft] = useDraft('comment', issue.id)
  return (
    <DetailPart title={t`Comments`}>
      {commentList.isError && <p>{t`The comments could not be loaded.`}</p>}
      <ul className={styles.comments}>
        {commentList.data?.content.map((one) => (
          <Comment key={one.id} issue={issue} comment={one} />
        ))}
      </ul>
      <CommentForm
        label={t`New comment`}
        saveLabel={t`Add comment`}
        initialText={draft ?? ''}
        shortcutProps={shortcutProps}
        isPending={addComment.isPending}
        onType={(text) => setDraft(text === '' ? null : text)}
        people={mentionablePeople}
        onSave={(text) => addComment.mutateAsync(toStoredText(text, mentionablePeople))}
      />
    </DetailPart>
  )
}

function useMentionables(issue: IssueDetail): Mentionable[] {
  const { api: apiClient } = useSession()
  return toMentionables(useQuery(assigneesQuery(apiClient, issue.scanId)).data?.content ?? [])
}

/** Text of a comment with the current names of mentioned people. */
function CommentText({ text, mentions }: Pick<z.output<typeof IssueComment>, 'text' | 'mentions'>) {
  const { t } = useLingui()
  const namesById = new Map(mentions.map(({ id, name }) => [id, name]))
  return splitComment(text, new Set(namesById.keys())).map((part, partIndex) =>
    typeof part === 'string' ? (
      <LinkedText key={partIndex} text={part} />
    ) : (
      <span key={partIndex} className={layout.strong}>
        @{namesById.get(part.id) ?? t`Former member`}
      </span>
    ),
  )
}

function Comment({ issue, comment }: { issue: IssueDetail; comment: z.output<typeof IssueComment> }) {
  const { t } = useLingui()
  const showError = useShowError()
  const { formatDateTime } = useFormats()
  const { edit: editComment, uncomment: deleteComment } = useIssueMutations(issue)
  const { id: commentId, author: commentAuthor, text, mentions, createdAt, editedAt, canDelete, canEdit } = comment
  const [editedText, setEditedText] = useDraft('comment-edit', commentId)
  const [isEditing, setIsEditing] = useState(canEdit && editedText !== null)
  // A restored edit does not take the focus: keys that are meant for the issue would be typed into it.
  const [isFocused, setIsFocused] = useState(false)
  const mentionablePeople = useMentionables(issue)
  const startEditing = () => {
    setIsFocused(true)
    setIsEditing(true)
  }
  return (
    <li>
      <p className={`${layout.muted} ${layout.sm}`}>
        {commentAuthor?.name ?? t`Former member`}, {formatDateTime(createdAt)}
        {editedAt && (
          <>
            {' '}
            <span title={formatDateTime(editedAt)}>{t`(edited)`}</span>
          </>
        )}
      </p>
      {isEditing ? (
        <CommentForm
          label={t`Edit comment`}
          saveLabel={t`Save comment`}
          initialText={editedText ?? toTypedText(text, mentionablePeople, mentions)}
          people={mentionablePeople}
          autoFocus={isFocused}
          isPending={editComment.isPending}
          onType={(changed) => setEditedText(changed === '' ? null : changed)}
          onSave={(changed) =>
            editComment
              .mutateAsync({ id: commentId, text: toStoredText(changed, mentionablePeople, mentions) })
              .then(() => setIsEditing(false))
          }
          onCancel={() => {
            setEditedText(null)
            setIsEditing(false)
          }}
        />
      ) : (
        <p className={styles.text}>
          <CommentText text={text} mentions={mentions} />
        </p>
      )}
      {!isEditing && (canDelete || canEdit) && (
        <div className={layout.line}>
          {canEdit && <Button small kind="quiet" onPress={startEditing}>{t`Edit comment`}</Button>}
          {canDelete && (
            <Button
              small
              kind="quiet"
              onPress={() =>
                deleteComment.mutate(commentId, {
                  onError: showError,
                })
              }
            >{t`Delete comment`}</Button>
          )}
        </div>
      )}
    </li>
  )
}

type CommentFormProps = {
  label: string
  saveLabel: string
  initialText: string
  people: readonly Mentionable[]
  shortcutProps?: ReturnType<typeof useShortcut>
  autoFocus?: boolean
  isPending: boolean
  onType?: (text: string) => void
  onSave: (text: string) => Promise<unknown>
  onCancel?: () => void
}

/** Form of a comment. The text stays until it is stored; server errors appear at the field. */
function CommentForm(props: CommentFormProps) {
  const { label, saveLabel, initialText, people, shortcutProps, autoFocus, isPending, onType, onSave, onCancel } = props
  const { t } = useLingui()
  const showError = useShowError()
  const [typedText, setTypedText] = useState(initialText)
  const [fieldError, setFieldError] = useState<string>()
  const getServerErrorText = useServerErrorText()
  const updateText = (newText: string) => {
    setTypedText(newText)
    onType?.(newText)
  }
  const submitComment = () => {
    if (typedText.trim() === '') return setFieldError(t`Write something first.`)
    void onSave(typedText.trim()).then(
      () => updateText(''),
      (error: unknown) => {
        const serverErrorText = getServerErrorText(error, ['text'])
        if (serverErrorText === undefined) showError(error)
        else setFieldError(serverErrorText)
      },
    )
  }
  return (
    <form
      noValidate
      className={layout.tight}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) submitComment()
      }}
    >
      <Field label={label} hint={t`Type @ to mention somebody.`} error={fieldError}>
        {(control) => (
          <MentionArea
            control={control}
            shortcutProps={shortcutProps}
            autoFocus={autoFocus}
            value={typedText}
            maxLength={maxIssueLengths.text}
            people={people}
            onChange={(text) => {
              updateText(text)
              setFieldError(undefined)
            }}
          />
        )}
      </Field>
      <div className={layout.line}>
        <Button type="submit" small pending={isPending}>
          {saveLabel}
        </Button>
        {onCancel && <Button small kind="quiet" onPress={onCancel}>{t`Cancel`}</Button>}
      </div>
    </form>
  )
}
