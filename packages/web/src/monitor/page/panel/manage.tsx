import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { Recheck } from '@clearway/contract/monitor/run/recheck/schema.ts'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { recheckQuery, usePageActions } from '../queries.ts'
import { failureTexts } from '../parts/reason-text.ts'
import { AlwaysTestPage } from './allow.tsx'
import { DeletePagesDialog } from '../list/bulk.tsx'
import type * as z from 'zod/mini'
import layout from '../../../kit/page/layout.module.css'

type PageDetailData = z.output<typeof PageDetail>
type RecheckState = z.output<typeof Recheck>
type PageManageProps = { page: PageDetailData; onDeleted: () => void }

/** Rechecks a page. Requires the scan member role or higher. */
export function PageRecheck({ page }: { page: PageDetailData }) {
  const { api: apiClient } = useSession()
  const canRun = useQuery(scanQuery(apiClient, page.scanId)).data?.rights.run
  return canRun && page.source === 'automated' && <RecheckSection page={page} />
}

/** Always tests or deletes a page. Requires the scan member role or higher. */
export function PageManage({ page, onDeleted }: PageManageProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const showToast = useToast()
  const scanRights = useQuery(scanQuery(apiClient, page.scanId)).data?.rights
  const { deleteOneMutation: deleteMutation } = usePageActions()
  const [isDeleteOpen, setIsDeleteOpen] = useState(false)
  if (!scanRights?.run && !scanRights?.curate) return null
  const deletePage = () => {
    setIsDeleteOpen(false)
    deleteMutation.mutate(page.id, {
      onSuccess: () => {
        onDeleted()
        showToast('confirmation', t`Page deleted successfully!`)
      },
      onError: (error) => {
        const errorMessage = t(getProblemMessage(error))
        showToast('error', t`Page deletion failed! ${errorMessage}`, { error })
      },
    })
  }
  return (
    <DetailPart title={t`Manage page`}>
      <div className={layout.row}>
        {page.source === 'automated' && <AlwaysTestPage page={page} />}
        {scanRights.curate && <Button small onPress={() => setIsDeleteOpen(true)}>{t`Delete page…`}</Button>}
      </div>
      {isDeleteOpen && <DeletePagesDialog count={1} onClose={() => setIsDeleteOpen(false)} onDelete={deletePage} />}
    </DetailPart>
  )
}

const recheckStateLabels: Record<RecheckState['state'], MessageDescriptor> = {
  waiting: msg`The check is queued.`,
  working: msg`The page is being checked.`,
  done: msg`The page was checked again.`,
  stale: msg`A newer run has started, so this check does not change the results.`,
  failed: msg`The page could not be checked again.`,
}

function RecheckSection({ page }: { page: PageDetailData }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const showError = useShowError()
  const { recheckMutation, refresh: refreshPages } = usePageActions()
  const lastRecheck = useQuery(recheckQuery(apiClient, page)).data ?? null
  const isRecheckActive = lastRecheck?.state === 'waiting' || lastRecheck?.state === 'working'
  const [isWatched, setIsWatched] = useState(false)
  const onRecheckEnd = useEffectEvent(() => void refreshPages())
  useEffect(() => {
    if (isWatched && !isRecheckActive) onRecheckEnd()
  }, [isWatched, isRecheckActive])
  const startRecheck = () =>
    recheckMutation.mutate(page.id, {
      onSuccess: () => setIsWatched(true),
      onError: showError,
    })
  return (
    <div className={layout.tight}>
      <div>
        <Button
          small
          pending={isRecheckActive || recheckMutation.isPending}
          onPress={startRecheck}
        >{t`Check this page again`}</Button>
      </div>
      <div role="status">{lastRecheck && <RecheckOutcome last={lastRecheck} />}</div>
    </div>
  )
}

function RecheckCounts({ counts }: { counts: NonNullable<RecheckState['issues']> }) {
  const { t } = useLingui()
  const {
    new: newCount,
    back: reappearedCount,
    fixed: fixedCount,
    still: remainingCount,
    notRechecked: uncheckedCount,
    ignored: ignoredCount,
  } = counts
  return (
    <p>
      {t`New: ${newCount}. Reappeared: ${reappearedCount}. Fixed: ${fixedCount}. Still there: ${remainingCount}.`}
      {ignoredCount > 0 && <> {t`Ignored: ${ignoredCount}.`}</>}
      {uncheckedCount > 0 && <> {t`Not tested again: ${uncheckedCount}.`}</>}
    </p>
  )
}

function RecheckOutcome({ last: recheckState }: { last: RecheckState }) {
  const { t } = useLingui()
  const { issues: issueCounts, failure: failureReason } = recheckState
  return (
    <>
      <p>{t(recheckStateLabels[recheckState.state])}</p>
      {failureReason && <p>{t(failureTexts[failureReason].what)}</p>}
      {recheckState.state === 'done' && issueCounts && <RecheckCounts counts={issueCounts} />}
    </>
  )
}
