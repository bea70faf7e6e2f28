import { useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { dropUnsent, readUnsent } from '../wizard/draft.ts'
import { draftCalls, draftQuery } from '../wizard/queries.ts'
import styles from './draft-notice.module.css'

/** A field of the form, whose code this screen does not load. */
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A new scan that the person started and did not save. */
export function DraftNotice() {
  const { t } = useLingui()
  const { formatDateTime: dateTime } = useFormats()
  const { api, permissions } = useSession()
  const toast = useToast()
  const client = useQueryClient()
  const { username, canCreateScans } = permissions
  const of = { username, scanId: null, begunWith: '' }
  const query = draftQuery(api, of)
  const found = useQuery({ ...query, enabled: canCreateScans })
  const discard = useMutation({
    mutationFn: () => draftCalls(api, of).discard(),
    onSuccess: () => {
      dropUnsent(of)
      client.setQueryData(query.queryKey, null)
      focusTitle()
    },
    onError: (error) => toast('error', t(getProblemMessage(error))),
  })
  if (!canCreateScans) return null
  const draft = found.isSuccess ? found.data : readUnsent(of)
  if (!draft) return null
  const name = text(draft.values['name']) || text(draft.values['urls']).split('\n')[0]
  const at = dateTime(draft.savedAt)
  return (
    <div className={styles.draft}>
      <Notice kind="info" title={t`You began a new scan`}>
        <p className={layout.break}>{[name, at].filter(Boolean).join(', ')}</p>
        <div className={layout.row}>
          <Link to="/scans/new" className={getButtonClass({ small: true })}>{t`Continue`}</Link>
          <Button
            small
            kind="quiet"
            pending={discard.isPending}
            onPress={() => discard.mutate()}
          >{t`Discard`}</Button>
        </div>
      </Notice>
    </div>
  )
}
