import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMutation } from '../../../kit/client/use-mutation.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import layout from '../../../kit/page/layout.module.css'
import { failureTexts } from '../../page/parts/reason-text.ts'
import { reachQuery, useScanActions } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { type RunOverviewData, runPageOverviewQuery } from '../queries.ts'
import styles from './problem.module.css'

type StartFailureReasonsProps = { run: RunOverviewData; hasRemedy?: boolean }

export function StartFailureReasons({ run, hasRemedy = false }: StartFailureReasonsProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const failures = useQuery(runPageOverviewQuery(apiClient, { scanId: run.scanId, run: run.number })).data?.failures ?? []
  const reasons = failures.flatMap(({ reason, pages: pageCount }) => {
    const texts = failureTexts[reason as keyof typeof failureTexts]
    if (!texts) return []
    return [
      <li key={reason}>
        {t(texts.what)} (<Plural value={pageCount} one="# page" other="# pages" />)
        {(hasRemedy || reason === 'address-refused') && `. ${t(texts.remedy)}`}
      </li>,
    ]
  })
  return reasons.length > 0 && <ul className={styles.reasons}>{reasons}</ul>
}

/** Offers the working URL instead of a start URL that failed: the same host by the other scheme. */
export function StartUrlFix({ run }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const [startUrl = ''] = run.startUrls
  const reachResult = useQuery(reachQuery(apiClient, startUrl.replace(/^https?:\/\//i, ''), run.scanId))
  const answeringUrl = reachResult.data?.url ?? null
  const fixMutation = useFixStartUrl(run, startUrl)
  if (run.startUrls.length !== 1 || answeringUrl === null || getOrigin(answeringUrl) === getOrigin(startUrl)) return null
  return (
    <div className={layout.row}>
      <span className={layout.break}>{t`${answeringUrl} answers.`}</span>
      <Button kind="primary" small pending={fixMutation.isPending} onPress={() => fixMutation.mutate(answeringUrl)}>
        {t`Use it, and start a new run`}
      </Button>
    </div>
  )
}

const getOrigin = (url: string) => URL.parse(url)?.origin

/** Replaces the start URL in the settings, and starts a run. */
function useFixStartUrl(run: RunOverviewData, startUrl: string) {
  const { api: apiClient } = useSession()
  const showError = useShowError()
  const navigateTo = useNavigate()
  const { startMutation, updateMutation } = useScanActions()
  return useMutation({
    mutationFn: async (answeringUrl: string) => {
      const { settings, version } = await apiClient.readScanSettings({ params: { id: run.scanId } })
      const urls = settings.urls.map((url) => (url === startUrl ? answeringUrl : url))
      await updateMutation.mutateAsync({ id: run.scanId, settings: { ...settings, urls }, version })
      return startMutation.mutateAsync(run.scanId)
    },
    onSuccess: () => navigateTo({ to: '/scans/$scanId', params: { scanId: run.scanId } }),
    onError: showError,
  })
}
