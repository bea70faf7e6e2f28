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
import layout from '../../../kit/page/layout.module.css'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Notice } from '../../../kit/page/states.tsx'
import { useServerErrorText } from '../../../kit/form/use-server-error-text.ts'
import { shareQuery } from '../queries-share.ts'
import { useSession } from '../../user/model.ts'
import styles from './share-dialog.module.css'

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
  const [expiryDate, setExpiryDate] = useState('')
  const [todayIso] = useState(() => new Date().toISOString().slice(0, 10))
  const hasLink = shareState.data?.exists === true
  const { expiresAt } = shareState.data ?? {}
  const formattedExpiry = expiresAt ? formatDateTime(expiresAt) : ''
  const expiryError = useServerErrorText()(createMutation.error, ['expiresAt'])
  const otherError = expiryError === undefined ? (createMutation.error ?? stopMutation.error ?? shareState.error) : null
  const getEndOfDay = () => (expiryDate === '' ? null : new Date(`${expiryDate}T23:59:59`).toISOString())
  return (
    <Dialog title={t`Share publicly`} onClose={onClose}>
      <p>
        {t`Anybody who has the link sees this scan, its runs, pages and issues without signing in. They see no names and no comments, and cannot change anything.`}
      </p>
      {otherError && <Notice kind="error" title={t(getProblemMessage(otherError))} />}
      {hasLink && !createMutation.data && (
        <p>
          {shareState.data?.expired
            ? t`The link has expired.`
            : formattedExpiry === ''
              ? t`The scan is shared without an end date. The link is shown only when it is created: create a new one if it was lost.`
              : t`The scan is shared until ${formattedExpiry}. The link is shown only when it is created: create a new one if it was lost.`}
        </p>
      )}
      {createMutation.data && (
        <Field
          label={t`Link`}
          hint={
            formattedExpiry === ''
              ? t`It has no end date. Copy it now: it is not shown again.`
              : t`It works until ${formattedExpiry}. Copy it now: it is not shown again.`
          }
        >
          {(control) => (
            // All of it shows. The form, which had the focus, is gone.
            <textarea
              {...control}
              className={`${control.className} ${styles.link}`}
              readOnly
              autoFocus
              value={createMutation.data.url}
            />
          )}
        </Field>
      )}
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          createMutation.mutate(getEndOfDay())
        }}
      >
        {/* A new link needs copying, not replacing. */}
        {!createMutation.data && (
          <Field
            label={hasLink ? t`Expiry of a new link` : t`Expires on`}
            hint={hasLink ? t`When you create a new link, the current one stops working.` : undefined}
            optional={t`optional`}
            width="narrow"
            error={expiryError}
          >
            {(control) => (
              <input
                {...control}
                type="date"
                min={todayIso}
                value={expiryDate}
                onChange={({ target }) => setExpiryDate(target.value)}
              />
            )}
          </Field>
        )}
        <DialogActions>
          {hasLink && (
            <span className={styles.stop}>
              <Button
                kind="quiet"
                pending={stopMutation.isPending}
                onPress={() => stopMutation.mutate(undefined, { onSuccess: () => createMutation.reset() })}
              >{t`Stop sharing`}</Button>
            </span>
          )}
          <Button onPress={onClose}>{t`Close`}</Button>
          {createMutation.data ? (
            <CopyButton primary text={createMutation.data.url}>{t`Copy link`}</CopyButton>
          ) : (
            <Button kind="primary" type="submit" pending={createMutation.isPending}>
              {hasLink ? t`Create new link` : t`Create link`}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}
