import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy } from 'react'
import { useMutation } from '../../../kit/client/use-mutation.ts'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import { OptionalPart } from '../../../kit/page/optional-part.tsx'
import { withDeferredTexts } from '../../../kit/text/deferred-texts.ts'
import { useSession } from '../../user/model.ts'
import { removeUnsentDraft, readUnsentDraft } from '../wizard/draft.ts'
import { createDraftCalls, draftQuery } from '../wizard/queries.ts'

// Few users have a draft.
const DraftCard = lazy(() => withDeferredTexts(import('./draft-card.tsx')).then((module) => ({ default: module.DraftCard })))

/** Unsaved new scan of the user. */
export function DraftNotice() {
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
  return (
    <OptionalPart>
      <DraftCard draft={savedDraft} isDiscarding={discardMutation.isPending} onDiscard={() => discardMutation.mutate()} />
    </OptionalPart>
  )
}
