import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { isActiveStatus } from '@clearway/contract/monitor/run/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../../kit/client/use-mutation.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { Notice } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import type { RunOverviewData } from '../queries.ts'

type AcceptanceProps = { run: RunOverviewData; scan: Pick<ScanSummary, 'id' | 'lastRun' | 'rights'> }

/** Offers to test the pages again whose content was not seen, or that were not proved signed in, without a run over all others. */
export function RunRetest({ run, scan }: AcceptanceProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const { api: apiClient } = useSession()
  const retestMutation = useMutation({
    mutationFn: () => apiClient.recheckDoubtfulPages({ params: { id: scan.id, run: run.number } }),
    onSuccess: ({ pages }) =>
      showToast('confirmation', t`${plural(pages, { one: '# page is tested again.', other: '# pages are tested again.' })}`),
    onError: showError,
  })
  const isUnproved = isNewestEnded(run, scan) && run.pages.unproved > 0
  if (!scan.rights.run || !(isDoubtful(run, scan) || isUnproved)) return null
  return (
    <p>
      <Button pending={retestMutation.isPending} onPress={() => retestMutation.mutate()}>
        {t`Test only these pages again`}
      </Button>
    </p>
  )
}

/** Returns true for the newest run if its pages look different from before, or were not seen. */
const isDoubtful = (run: RunOverviewData, scan: AcceptanceProps['scan']): boolean =>
  isNewestEnded(run, scan) && (run.pages.walled > 0 || run.unconfirmed !== null)

const isNewestEnded = (run: RunOverviewData, scan: AcceptanceProps['scan']): boolean =>
  scan.lastRun?.number === run.number && !isActiveStatus(run.status)

/** Offers to accept pages that look different from before, or alike: only a person knows whether a site has really changed. */
export function RunAcceptance({ run, scan }: AcceptanceProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const queryClient = useQueryClient()
  const { api: apiClient } = useSession()
  const acceptMutation = useMutation({
    mutationFn: () => apiClient.acceptRun({ params: { id: scan.id, run: run.number } }),
    onSuccess: async ({ pages }) => {
      await queryClient.invalidateQueries()
      if (pages.walled === 0) showToast('confirmation', t`The pages are accepted.`)
      else showToast('caution', t`The pages whose content is out of reach cannot be accepted.`)
    },
    onError: showError,
  })
  if (!scan.rights.curate || !isDoubtful(run, scan)) return null
  return (
    <Notice kind="caution" title={t`Have the pages really changed?`}>
      <p>{t`If so, accept them as they are: the issues that they no longer show are fixed, and the pages count in the score again.`}</p>
      <p>
        <Button pending={acceptMutation.isPending} onPress={() => acceptMutation.mutate()}>
          {t`Accept the pages as they are`}
        </Button>
      </p>
    </Notice>
  )
}
