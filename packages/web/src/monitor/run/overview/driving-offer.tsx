import { useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useMutation } from '../../../kit/client/use-mutation.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { useScanActions } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'

/** Offers once to turn on driven pages for a scan that predates them. */
export function DrivingOffer({ scan }: { scan: Pick<ScanSummary, 'id' | 'offersDriving' | 'rights'> }) {
  const { t } = useLingui()
  const { acceptMutation, declineMutation } = useDrivingOffer(scan)
  if (!scan.offersDriving || !scan.rights.manage) return null
  return (
    <Notice kind="info" title={t`Test this scan by keyboard and mouse, too?`}>
      <p>{t`Runs then also find what no rule can see in a page at rest: invisible focus, keyboard traps, lines cut in narrow windows, faults in menus and dialogs. The first page of each template and a share of the others are tested this way.`}</p>
      <p>{t`New issues are likely, and runs take longer. You can change this in the settings at any time.`}</p>
      <div className={layout.row}>
        <Button kind="primary" small pending={acceptMutation.isPending} onPress={() => acceptMutation.mutate()}>
          {t`Yes, from the next run on`}
        </Button>
        <Button small pending={declineMutation.isPending} onPress={() => declineMutation.mutate()}>
          {t`No, leave it off`}
        </Button>
      </div>
    </Notice>
  )
}

function useDrivingOffer(scan: Pick<ScanSummary, 'id'>) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const showToast = useToast()
  const showError = useShowError()
  const { updateMutation, declineDrivingMutation } = useScanActions()
  const acceptMutation = useMutation({
    mutationFn: async () => {
      const { settings, version } = await apiClient.readScanSettings({ params: { id: scan.id } })
      const advanced = { ...settings.advanced, driven: 'templates' as const }
      return updateMutation.mutateAsync({ id: scan.id, settings: { ...settings, advanced }, version })
    },
    onSuccess: () => showToast('confirmation', t`The next run also tests by keyboard and mouse.`),
    onError: showError,
  })
  const declineMutation = useMutation({
    mutationFn: () => declineDrivingMutation.mutateAsync(scan.id),
    onSuccess: () => showToast('confirmation', t`Tests by keyboard and mouse stay off.`),
    onError: showError,
  })
  return { acceptMutation, declineMutation }
}
