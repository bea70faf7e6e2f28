import { useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../../kit/client/use-mutation.ts'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { FactList } from '../../../kit/page/fact-list.tsx'
import layout from '../../../kit/page/layout.module.css'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Notice } from '../../../kit/page/states.tsx'
import { useServerErrorText } from '../../../kit/form/use-server-error-text.ts'
import { toLocalDay } from '../../run/model-goal.ts'
import { shareQuery } from '../queries-share.ts'
import { useSession } from '../../user/model.ts'
import styles from './share-dialog.module.css'

/** Links are proposed for a month: a forgotten one ends by itself. */
const proposedDays = 30
const proposeExpiryDate = () => toLocalDay(Date.now() + proposedDays * 86_400_000)

function useShareMutations(scan: ScanSummary) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const pathParams = { id: scan.id }
  const refreshShare = () => queryClient.invalidateQueries({ queryKey: ['scan', scan.id, 'share'] })
  const createMutation = useMutation({
    mutationFn: (expiresAt: string | null) => apiClient.createPublicToken({ params: pathParams, body: { expiresAt } }),
    onSettled: refreshShare,
  })
  const stopMutation = useMutation({
    mutationFn: () => apiClient.deletePublicToken({ params: pathParams }),
    onSettled: refreshShare,
  })
  return { make: createMutation, stop: stopMutation }
}

/** Creates, shows once and revokes the public link of a scan. */
export function ShareDialog({ scan, onClose }: { scan: ScanSummary; onClose: () => void }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatDateTime } = useFormats()
  const shareState = useQuery(shareQuery(apiClient, scan.id))
  const { make: createMutation, stop: stopMutation } = useShareMutations(scan)
  const [expiryDate, setExpiryDate] = useState(proposeExpiryDate)
  const [isReplacing, setIsReplacing] = useState(false)
  const hasLink = shareState.data?.exists === true
  const isShared = hasLink && shareState.data?.expired !== true
  const { expiresAt } = shareState.data ?? {}
  const formattedCreation = shareState.data?.createdAt ? formatDateTime(shareState.data.createdAt) : ''
  const formattedExpiry = expiresAt ? formatDateTime(expiresAt) : ''
  const expiryError = useServerErrorText()(createMutation.error, ['expiresAt'])
  const otherError = expiryError === undefined ? (createMutation.error ?? stopMutation.error ?? shareState.error) : null
  const getEndOfDay = () => (expiryDate === '' ? null : new Date(`${expiryDate}T23:59:59`).toISOString())
  const expiryField = <ExpiryField isFocused={isReplacing} value={expiryDate} error={expiryError} onChange={setExpiryDate} />
  return (
    <Dialog title={isShared ? t`Shared publicly` : t`Share publicly`} onClose={onClose}>
      {otherError && <Notice kind="error" title={t(getProblemMessage(otherError))} />}
      {hasLink && !isShared && !createMutation.data && <p className={layout.strong}>{t`The link has expired.`}</p>}
      <div className={styles.meaning}>
        <FactList
          facts={[
            [t`Who can see it`, t`Anyone who has the link, without signing in.`],
            [
              t`What they see`,
              t`The runs, pages and issues of this scan, without names and comments. They cannot change anything.`,
            ],
            [
              t`End of sharing`,
              !isShared
                ? t`As soon as you stop sharing, or on the date that you set.`
                : formattedExpiry === ''
                  ? t`As soon as you stop sharing.`
                  : t`On ${formattedExpiry}, or as soon as you stop sharing.`,
            ],
            [t`Shared since`, isShared && formattedCreation],
          ]}
        />
      </div>
      {createMutation.data && <NewLink url={createMutation.data.url} formattedExpiry={formattedExpiry} />}
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          createMutation.mutate(getEndOfDay())
        }}
      >
        {/* A new link needs copying, not replacing. */}
        {!createMutation.data &&
          (isShared ? (
            <>
              <p
                className={layout.muted}
              >{t`The link is shown only when it is created. When you create a new one, the current one stops working.`}</p>
              {isReplacing && expiryField}
            </>
          ) : (
            expiryField
          ))}
        <DialogActions>
          {hasLink && (
            <span className={styles.stop}>
              <Button
                kind="quiet"
                pending={stopMutation.isPending}
                onPress={() =>
                  stopMutation.mutate(undefined, {
                    onSuccess: () => {
                      createMutation.reset()
                      setIsReplacing(false)
                    },
                  })
                }
              >{t`Stop sharing`}</Button>
            </span>
          )}
          {isShared && !isReplacing && !createMutation.data && (
            <Button onPress={() => setIsReplacing(true)}>{t`Replace the link…`}</Button>
          )}
          <Button onPress={onClose}>{createMutation.data || (isShared && !isReplacing) ? t`Close` : t`Cancel`}</Button>
          {createMutation.data ? (
            // The button that created it, which had the focus, is gone.
            <CopyButton primary autoFocus text={createMutation.data.url}>{t`Copy link`}</CopyButton>
          ) : (
            (!isShared || isReplacing) && (
              <Button kind="primary" type="submit" pending={createMutation.isPending}>
                {isShared ? t`Create new link` : t`Create link`}
              </Button>
            )
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The link, which is shown once. */
function NewLink({ url, formattedExpiry }: { url: string; formattedExpiry: string }) {
  const { t } = useLingui()
  return (
    <Field
      label={t`Link`}
      hint={
        formattedExpiry === ''
          ? t`It has no end date. Copy it now: it is not shown again.`
          : t`It works until ${formattedExpiry}. Copy it now: it is not shown again.`
      }
    >
      {(control) => <textarea {...control} className={`${control.className} ${styles.link}`} readOnly value={url} />}
    </Field>
  )
}

type ExpiryFieldProps = { isFocused: boolean; value: string; error: string | undefined; onChange: (value: string) => void }

function ExpiryField({ isFocused, value, error, onChange }: ExpiryFieldProps) {
  const { t } = useLingui()
  const [todayIso] = useState(() => new Date().toISOString().slice(0, 10))
  return (
    <Field label={t`Expires on`} optional={t`optional`} width="narrow" error={error}>
      {(control) => (
        <input
          {...control}
          // The button that shows it, which had the focus, is gone.
          autoFocus={isFocused}
          type="date"
          min={todayIso}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
