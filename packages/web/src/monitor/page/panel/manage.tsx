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
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { recheckQuery, usePageActions } from '../queries.ts'
import { failureTexts } from '../parts/failure-text.ts'
import { DeletePagesDialog } from '../list/bulk.tsx'
import type * as z from 'zod/mini'
import layout from '../../../kit/page/layout.module.css'

type Detail = z.output<typeof PageDetail>
type State = z.output<typeof Recheck>
type Props = { page: Detail; onDeleted: () => void }

/** Looking at one page again, and deleting it: for members of the scan and up. */
export function PageManage({ page, onDeleted }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const toast = useToast()
  const rights = useQuery(scanQuery(api, page.scanId)).data?.rights
  const { removeOne } = usePageActions()
  const [deleting, setDeleting] = useState(false)
  if (!rights?.run && !rights?.curate) return null
  const remove = () => {
    setDeleting(false)
    removeOne.mutate(page.id, {
      onSuccess: () => {
        onDeleted()
        toast('confirmation', t`Page deleted successfully!`)
      },
      onError: (error) => {
        const why = t(getProblemMessage(error))
        toast('error', t`Page deletion failed! ${why}`)
      },
    })
  }
  return (
    <DetailPart title={t`Manage page`}>
      {rights.run && page.source === 'automated' && <RecheckPart page={page} />}
      {rights.curate && (
        <div>
          <Button small kind="danger" onPress={() => setDeleting(true)}>{t`Delete page…`}</Button>
        </div>
      )}
      {deleting && <DeletePagesDialog count={1} onClose={() => setDeleting(false)} onDelete={remove} />}
    </DetailPart>
  )
}

const stateWords: Record<State['state'], MessageDescriptor> = {
  waiting: msg`The check is queued.`,
  working: msg`The page is being checked.`,
  done: msg`The page was checked again.`,
  stale: msg`A newer run has started, so this check does not change the results.`,
  failed: msg`The page could not be checked again.`,
}

function RecheckPart({ page }: { page: Detail }) {
  const { t } = useLingui()
  const { api } = useSession()
  const toast = useToast()
  const { recheck, refresh } = usePageActions()
  const last = useQuery(recheckQuery(api, page.id)).data ?? null
  const active = last?.state === 'waiting' || last?.state === 'working'
  const [watched, setWatched] = useState(false)
  const onEnd = useEffectEvent(() => void refresh())
  useEffect(() => {
    if (watched && !active) onEnd()
  }, [watched, active])
  const start = () =>
    recheck.mutate(page.id, {
      onSuccess: () => setWatched(true),
      onError: (error) => toast('error', t(getProblemMessage(error))),
    })
  return (
    <div className={layout.tight}>
      <div>
        <Button
          small
          pending={active || recheck.isPending}
          onPress={start}
        >{t`Check this page again`}</Button>
      </div>
      <div role="status">{last && <Outcome last={last} />}</div>
    </div>
  )
}

function Outcome({ last }: { last: State }) {
  const { t } = useLingui()
  const { issues, failure } = last
  const { new: found = 0, back = 0, fixed = 0, still = 0 } = issues ?? {}
  return (
    <>
      <p>{t(stateWords[last.state])}</p>
      {failure && <p>{t(failureTexts[failure].what)}</p>}
      {last.state === 'done' && issues && (
        <p>{t`New: ${found}. Reappeared: ${back}. Fixed: ${fixed}. Still there: ${still}.`}</p>
      )}
    </>
  )
}
