import { toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import { previewLimitSeconds } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useMutation } from '../../../kit/client/use-mutation.ts'
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard, Notice } from '../../../kit/page/states.tsx'
import { getReasonText } from '../../page/parts/reason-text.ts'
import { useSession } from '../../user/model.ts'
import { PreviewChanges } from './changes.tsx'
import styles from './scope.module.css'
import { PreviewedUrlList } from './url-list.tsx'
import type { PreviewedUrlData, ScopePreviewState, ScopePreviewBody } from './use-scope.ts'
import { useScopePreview } from './use-scope.ts'

/** URLs that a run with the current settings would visit or exclude, with reasons. */
export function ScopePreview({ body: getRequestBody }: { body: () => Promise<ScopePreviewBody | null> }) {
  const { t } = useLingui()
  const { preview: previewState, start: startPreview, stop: stopPreview } = useScopePreview()
  const beginPreview = async () => {
    const requestBody = await getRequestBody()
    if (requestBody) await startPreview(requestBody)
  }
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-labelledby="scope-preview">
      <div className={layout.tight}>
        <h2 id="scope-preview">{t`Scope preview`}</h2>
        <p className={`${layout.muted} ${layout.sm}`}>
          {t`The server walks through the site for half a minute at most, without testing anything.`}
        </p>
        <div className={layout.row}>
          <Button icon="play" pending={previewState.isWorking} onPress={() => void beginPreview()}>
            {previewState.end === null ? t`Preview scope` : t`Preview again`}
          </Button>
          {previewState.isWorking && <Button icon="stop" onPress={stopPreview}>{t`Stop`}</Button>}
        </div>
        {previewState.isWorking && <PreviewProgress lastUrl={previewState.urls.at(-1)?.url} />}
      </div>
      {previewState.failure !== null && (
        <ErrorCard
          title={t`The scope could not be previewed.`}
          error={previewState.failure}
          onRetry={() => void beginPreview()}
        />
      )}
      {previewState.end === 'problem' && (
        <Notice kind="error" title={t`The scope could not be previewed.`}>
          <p lang="en">{previewState.detail}</p>
        </Notice>
      )}
      {(previewState.isWorking || previewState.urls.length > 0) && (
        <div className={layout.tight}>
          <PreviewCounts preview={previewState} />
          {previewState.change && <PreviewChanges change={previewState.change} />}
          <PreviewedUrlGroups urls={previewState.urls} />
        </div>
      )}
      <UrlTestField body={getRequestBody} />
    </section>
  )
}

/** Moves every second while the server walks, also when a slow site shows no new URL. */
function PreviewProgress({ lastUrl }: { lastUrl: string | undefined }) {
  const { t } = useLingui()
  const { formatDuration } = useFormats()
  const [elapsedSeconds, setElapsedSeconds] = useState(0)
  useEffect(() => {
    const secondTimer = setInterval(() => setElapsedSeconds((seconds) => Math.min(seconds + 1, previewLimitSeconds)), 1000)
    return () => clearInterval(secondTimer)
  }, [])
  const remainingTime = formatDuration((previewLimitSeconds - elapsedSeconds) * 1000)
  return (
    <div className={`${styles.progress} ${layout.sm}`}>
      <progress aria-label={t`Scope preview`} value={elapsedSeconds} max={previewLimitSeconds} />
      <span className={`${layout.muted} ${layout.num}`}>{t`At most ${remainingTime} left`}</span>
      {lastUrl !== undefined && (
        <code className={styles.lastUrl} translate="no">
          {toReadableUrl(lastUrl)}
        </code>
      )}
    </div>
  )
}

function PreviewCounts({ preview }: { preview: ScopePreviewState }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const countUrls = (verdict: PreviewedUrlData['verdict']) =>
    preview.urls.filter((previewed) => previewed.verdict === verdict).length
  const [includedCount, excludedCount, failedCount] = [countUrls('crawled'), countUrls('excluded'), countUrls('failed')]
  const isTruncated = preview.end === 'time' || preview.end === 'count'
  return (
    <>
      <dl className={styles.counts} aria-hidden="true">
        <PreviewFigure name={t`in`}>{formatNumber(includedCount)}</PreviewFigure>
        <PreviewFigure name={t`out`}>{formatNumber(excludedCount)}</PreviewFigure>
        {failedCount > 0 && <PreviewFigure name={t`failed`}>{formatNumber(failedCount)}</PreviewFigure>}
      </dl>
      <p role="status" className={isTruncated ? layout.sm : layout.hidden}>
        {!preview.isWorking && (
          <span className={layout.hidden}>
            {t`${formatNumber(includedCount)} in, ${formatNumber(excludedCount)} out, ${formatNumber(failedCount)} failed.`}
          </span>
        )}{' '}
        {isTruncated && t`There are more: the preview ends here.`}
      </p>
    </>
  )
}

function PreviewFigure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dd>{children}</dd>
      <dt>{name}</dt>
    </div>
  )
}

function UrlTestField({ body: getRequestBody }: { body: () => Promise<ScopePreviewBody | null> }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const [typedUrl, setTypedUrl] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const testMutation = useMutation({
    mutationFn: async (testedUrl: string) => {
      const requestBody = await getRequestBody()
      return requestBody && apiClient.testScope({ body: { ...requestBody, url: testedUrl } })
    },
  })
  const testUrl = () => {
    setIsMissing(typedUrl.trim() === '')
    if (typedUrl.trim() !== '') testMutation.mutate(typedUrl.trim())
  }
  return (
    <div className={layout.tight}>
      <Field label={t`Check a URL`} error={isMissing ? t`Fill in this field.` : undefined}>
        {(control) => (
          <input
            {...control}
            value={typedUrl}
            spellCheck={false}
            placeholder="https://www.example.org/basket/"
            onChange={(event) => setTypedUrl(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // The field is inside a form, which Enter would submit.
              event.preventDefault()
              testUrl()
            }}
          />
        )}
      </Field>
      <div>
        <Button small pending={testMutation.isPending} onPress={testUrl}>{t`Check`}</Button>
      </div>
      <div role="status">{testMutation.data && <UrlVerdict one={testMutation.data} />}</div>
      {testMutation.isError && <ErrorCard title={t`The URL could not be checked.`} error={testMutation.error} />}
    </div>
  )
}

/** Groups URLs by their verdict and its reason, in the order of discovery. Each reason then appears once. */
const groupByReason = (urls: readonly PreviewedUrlData[]): Map<string, PreviewedUrlData[]> =>
  Map.groupBy(urls, ({ verdict, reason, detail, depth }) => [verdict, reason ?? depth, detail].join(' '))

function PreviewedUrlGroups({ urls }: { urls: readonly PreviewedUrlData[] }) {
  const { t } = useLingui()
  const siteOrigin = URL.parse(urls[0]?.url ?? '')?.origin ?? ''
  if (urls.length === 0) return null
  return (
    <ul className={styles.groups} aria-label={t`URLs discovered`}>
      {[...groupByReason(urls)].map(([groupKey, group]) => (
        <li key={groupKey}>
          <UrlVerdict one={group[0]!} />
          <PreviewedUrlList urls={group.map(({ url }) => url)} siteOrigin={siteOrigin} />
        </li>
      ))}
    </ul>
  )
}

/** The verdict on a URL or a group of them, with its reason. */
function UrlVerdict({ one: previewed }: { one: PreviewedUrlData }) {
  const { t } = useLingui()
  const { depth: linkDepth, verdict: urlVerdict, reason: previewReason, detail: reasonDetail } = previewed
  const verdictLabel = { crawled: t`Included`, excluded: t`Excluded`, failed: t`Failed` }[urlVerdict]
  const describeDepth = () =>
    linkDepth === 0 ? t`Start URL` : t`${plural(linkDepth, { one: '# link from the start', other: '# links from the start' })}`
  return (
    <div className={styles.verdict}>
      <span className={urlVerdict === 'crawled' ? layout.good : layout.strong}>
        <Icon name={urlVerdict === 'crawled' ? 'check' : 'close'} /> {verdictLabel}
      </span>
      <p className={layout.break}>
        <span>{previewReason === null ? describeDepth() : t(getReasonText(previewReason))}</span>
        {reasonDetail && (
          <span className={layout.muted} lang="en">
            {' '}
            {reasonDetail}
          </span>
        )}
      </p>
    </div>
  )
}
