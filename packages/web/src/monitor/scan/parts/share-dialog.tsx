import { useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Notice } from '../../../kit/page/states.tsx'
import { useServerErrorText } from '../../../kit/form/use-refusal.ts'
import { useSession, type MonitorApi } from '../../user/model.ts'

const shareQuery = (api: MonitorApi, id: ScanSummary['id']) =>
  queryOptions({
    queryKey: ['scan', id, 'share'],
    queryFn: ({ signal }) => api.readPublicToken({ params: { id } }, signal),
  })

function useShare(scan: ScanSummary) {
  const { api } = useSession()
  const client = useQueryClient()
  const params = { id: scan.id }
  const onSettled = () => client.invalidateQueries({ queryKey: ['scan', scan.id, 'share'] })
  const make = useMutation({
    mutationFn: (expiresAt: string | null) => api.createPublicToken({ params, body: { expiresAt } }),
    onSettled,
  })
  const stop = useMutation({ mutationFn: () => api.deletePublicToken({ params }), onSettled })
  return { make, stop }
}

/** The public link of a scan: made, copied once, and stopped. */
export function ShareDialog({ scan, onClose }: { scan: ScanSummary; onClose: () => void }) {
  const { t } = useLingui()
  const { api } = useSession()
  const { formatDateTime: dateTime } = useFormats()
  const share = useQuery(shareQuery(api, scan.id))
  const { make, stop } = useShare(scan)
  const [until, setUntil] = useState('')
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const exists = share.data?.exists === true
  const { expiresAt } = share.data ?? {}
  const end = expiresAt ? dateTime(expiresAt) : ''
  const wrongDay = useServerErrorText()(make.error, ['expiresAt'])
  const failed = wrongDay === undefined ? (make.error ?? stop.error ?? share.error) : null
  const endOfDay = () => (until === '' ? null : new Date(`${until}T23:59:59`).toISOString())
  return (
    <Dialog title={t`Share publicly`} onClose={onClose}>
      <p>
        {t`Anybody who has the link sees this scan, its runs, pages and issues without signing in. They see no names and no comments, and cannot change anything.`}
      </p>
      {failed && <Notice kind="error" title={t(getProblemMessage(failed))} />}
      {exists && !make.data && (
        <p>
          {share.data?.expired
            ? t`The link has expired.`
            : end === ''
              ? t`The scan is shared. The link is shown only when it is created: create a new one if it was lost.`
              : t`The scan is shared until ${end}. The link is shown only when it is created: create a new one if it was lost.`}
        </p>
      )}
      {make.data && (
        <div className={layout.stack}>
          <Field label={t`Link`} hint={t`Copy it now: it is not shown again.`}>
            {(control) => <input {...control} readOnly value={make.data.url} />}
          </Field>
          <CopyButton primary text={make.data.url}>{t`Copy link`}</CopyButton>
        </div>
      )}
      {exists && <p>{t`When you create a new link, the current one stops working.`}</p>}
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate(endOfDay())
        }}
      >
        <Field label={t`Expires on`} optional={t`optional`} width="narrow" error={wrongDay}>
          {(control) => (
            <input
              {...control}
              type="date"
              min={today}
              value={until}
              onChange={({ target }) => setUntil(target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button onPress={onClose}>{t`Close`}</Button>
          {exists && (
            <Button
              kind="danger"
              pending={stop.isPending}
              onPress={() => stop.mutate(undefined, { onSuccess: () => make.reset() })}
            >{t`Stop sharing`}</Button>
          )}
          <Button kind={make.data ? 'plain' : 'primary'} type="submit" pending={make.isPending}>
            {exists ? t`Create new link` : t`Create link`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
