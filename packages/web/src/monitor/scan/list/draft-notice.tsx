import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../../kit/client/use-mutation.ts'
import { Link } from '@tanstack/react-router'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { useFormats } from '../../../kit/text/format.ts'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { removeUnsentDraft, readUnsentDraft } from '../wizard/draft.ts'
import { createDraftCalls, draftQuery } from '../wizard/queries.ts'
import styles from './draft-notice.module.css'

/** Reads a field of the draft without loading the form's code. */
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Unsaved new scan of the user. */
export function DraftNotice() {
  const { t } = useLingui()
  const { formatDateTime } = useFormats()
  const { api: apiClient, permissions } = useSession()
  const showError = useShowError()
  const queryClient = useQueryClient()
  const { username, canCreateScans } = permissions
  const draftOwner = { username, scanId: null, begunWith: '' }
  const draftQueryOptions = draftQuery(apiClient, draftOwner)
  const draftResult = useQuery({ ...draftQueryOptions, enabled: canCreateScans })
  const discardMutation = useMutation({
    mutationFn: () => createDraftCalls(apiClient, draftOwner).discard(),
    onSuccess: () => {
      removeUnsentDraft(draftOwner)
      queryClient.setQueryData(draftQueryOptions.queryKey, null)
      focusTitle()
    },
    onError: showError,
  })
  if (!canCreateScans) return null
  const savedDraft = draftResult.isSuccess ? draftResult.data : readUnsentDraft(draftOwner)
  if (!savedDraft) return null
  const draftName = toText(savedDraft.values['name']) || toText(savedDraft.values['urls']).split('\n')[0]
  const formattedDate = formatDateTime(savedDraft.savedAt)
  return (
    <div className={styles.draft}>
      <Notice kind="info" title={t`You began a new scan`}>
        <p className={layout.break}>{[draftName, formattedDate].filter(Boolean).join(', ')}</p>
        <div className={layout.row}>
          <Link to="/scans/new" className={getButtonClass({ small: true })}>{t`Continue`}</Link>
          <Button
            small
            kind="quiet"
            pending={discardMutation.isPending}
            onPress={() => discardMutation.mutate()}
          >{t`Discard`}</Button>
        </div>
      </Notice>
    </div>
  )
}
