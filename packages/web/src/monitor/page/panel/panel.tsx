import { Plural, useLingui } from '@lingui/react/macro'
import type { PageId } from '@clearway/contract/kit/id.ts'
import { toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import { healthScores } from '@clearway/contract/monitor/page/model.ts'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import { DetailPanel, DetailPart } from '../../../kit/page/detail-panel.tsx'
import { FactList } from '../../../kit/page/fact-list.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { UrlText } from '../../../kit/text/url-text.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import { NewTabLink } from '../../../kit/text/new-tab-link.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { shortenUrl } from '../../scan/model.ts'
import { useSession } from '../../user/model.ts'
import { exclusionTexts, failureTexts, noticeTexts } from '../parts/reason-text.ts'
import { ChangingRequestList, useMethodText } from '../parts/sent-requests.tsx'
import { splitViews } from '../model-view.ts'
import { pageQuery } from '../queries.ts'
import { AllowPage, OpenTrap, SeparatePage } from './allow.tsx'
import { PageManage, PageRecheck } from './manage.tsx'
import { PageIssues } from './issues.tsx'
import styles from './panel.module.css'
import { PageMoment } from './moment.tsx'
import { PagePdf } from './pdf.tsx'
import { PageSource } from './source.tsx'
import { PageViews } from './views.tsx'
import { PageWalk } from './walk.tsx'

type PageDetailData = z.output<typeof PageDetail>
type PagePanelProps = {
  id: PageId
  position: string | undefined
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onClose: () => void
}

/** One page: facts, failure and remedy, issues, source. */
export function PagePanel({ id, position, ...navigation }: PagePanelProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatNumber } = useFormats()
  const { data: page, error: loadError, isPending, refetch: refetchPage } = useQuery(pageQuery(apiClient, id))
  if (isPending) return <Skeleton label={t`Loading the page`} />
  if (!page) return <ErrorCard title={t`The page could not be loaded.`} error={loadError} onRetry={() => void refetchPage()} />
  const isPdf = page.mimeType === 'application/pdf'
  return (
    <DetailPanel
      detailId={id}
      {...(position ? { position } : {})}
      {...navigation}
      leadingContent={page.status === 'failed' ? <FailedTag /> : page.health && <SignLabel sign={page.health} tag />}
      title={page.title || shortenUrl(page.url)}
      trailingContent={
        <>
          <WebLink url={page.url} />
          {page.health && (
            <p>
              {t`Score`} <b>{t`${formatNumber(toScorePoints(healthScores[page.health]))} of 100`}</b>
              {page.health !== 'good' && <span className={layout.muted}>{t`, set by its worst open issue`}</span>}
            </p>
          )}
          {page.status === 'failed' && <PageOutcome page={page} />}
          {page.id === id && <PageRecheck key={`recheck ${id}`} page={page} />}
        </>
      }
    >
      {page.status !== 'failed' && <PageOutcome page={page} />}
      {page.hasPicture && <PageMoment page={page} />}
      {splitViews(page).own.length > 0 && <PageViews key={`views ${page.id}`} page={page} />}
      {page.driven?.walk && <PageWalk key={`walk ${page.id}`} page={page} walk={page.driven.walk} />}
      <PageFacts page={page} />
      <RequestPart requests={page.requests} />
      <AliasList page={page} />
      <ReferrerList page={page} />
      {page.status === 'completed' && <PageIssues page={page} />}
      {page.hasContent && isPdf && <PagePdf key={page.id} id={page.id} />}
      {page.hasContent && !isPdf && <PageSource key={page.id} page={page} />}
      {/* While the previous page is still shown, its actions are disabled to prevent mistakes. */}
      {page.id === id && <PageManage key={`manage ${id}`} page={page} onDeleted={navigation.onClose} />}
    </DetailPanel>
  )
}

function FailedTag() {
  const { t } = useLingui()
  return (
    <span className={`${layout.line} ${layout.bad}`}>
      <Icon name="close" /> {t`Failed`}
    </span>
  )
}

function PageOutcome({ page }: { page: PageDetailData }) {
  const { t } = useLingui()
  const failureText = page.failure && t(failureTexts[page.failure].what)
  // Some details only repeat the reason.
  const detailLines = page.detail?.split('\n').map(
    (line, lineIndex) =>
      line !== failureText && (
        <p key={lineIndex} className={layout.break}>
          <code lang="en" translate="no">
            {line}
          </code>
        </p>
      ),
  )
  const unstoredCount = page.issuesNotStored
  return (
    <>
      {page.failure && (
        <div className={styles.outcome}>
          <Notice kind="error" title={failureText ?? ''}>
            {detailLines}
            <p>{t(failureTexts[page.failure].remedy)}</p>
          </Notice>
        </div>
      )}
      {page.exclusion && (
        <div className={styles.outcome}>
          <Notice kind="info" title={t(exclusionTexts[page.exclusion])}>
            {detailLines}
            {page.exclusion === 'acting-link' && <AllowPage key={page.id} page={page} />}
            {page.exclusion === 'trap' && <OpenTrap key={page.id} page={page} />}
            {page.exclusion === 'duplicate' && <SeparatePage key={page.id} page={page} />}
          </Notice>
        </div>
      )}
      {page.notices.map((notice) => (
        <div key={notice} className={styles.outcome}>
          <Notice kind="caution" title={t(noticeTexts[notice])}>
            {notice === 'frame-not-tested' && detailLines}
            {notice === 'issue-limit-reached' && <p>{t`Issues that are only counted: ${unstoredCount}`}</p>}
          </Notice>
        </div>
      ))}
    </>
  )
}

function PageFacts({ page }: { page: PageDetailData }) {
  const { t } = useLingui()
  const { formatDateTime, formatDuration, formatNumber } = useFormats()
  const getMethodText = useMethodText()
  const factEntries: readonly (readonly [string, ReactNode])[] = [
    [t`Scan`, page.scanName],
    [t`Run`, formatNumber(page.runNumber)],
    [page.status === 'failed' ? t`Tried` : t`Tested`, page.analysedAt && formatDateTime(page.analysedAt)],
    [t`Unchanged since run`, page.carriedFrom !== null && formatNumber(page.carriedFrom)],
    [t`Found on`, page.foundOn === null ? t`Start URL` : <FoundOn key="found-on" page={page} url={page.foundOn} />],
  ]
  const technicalEntries: typeof factEntries = [
    [t`Duration`, page.durationMs !== null && formatDuration(page.durationMs)],
    [t`HTTP status`, page.httpStatus],
    [t`Type`, page.mimeType],
    [t`Requests sent`, page.requests && getMethodText(page.requests.byMethod)],
    [t`Levels below the start`, formatNumber(page.depth)],
    [t`Attempts`, page.attempts > 1 && formatNumber(page.attempts)],
    [t`Leads to`, page.leadsTo],
  ]
  return (
    <DetailPart title={t`Details`}>
      <FactList facts={factEntries} />
      <details>
        <summary className={layout.sm}>{t`Technical details`}</summary>
        <FactList facts={technicalEntries} />
      </details>
    </DetailPart>
  )
}

/** The page whose link led to this one, as a link if it is among the listed referrers. */
function FoundOn({ page, url }: { page: PageDetailData; url: string }) {
  const { first: referrerUrls, pages: referrerIds } = page.referrers
  const id = referrerIds[referrerUrls.indexOf(url)] ?? null
  return id === null ? <UrlText url={shortenUrl(url)} /> : <PageLink page={page} id={id} url={url} />
}

/** Links to the detail of a page in the same run; otherwise to the page on the web. */
function PageLink({ page, id, url }: { page: PageDetailData; id: PageId | null; url: string }) {
  if (id === null) return <WebLink url={url} />
  return (
    <Link to="/pages" search={{ scanId: [page.scanId], run: page.runNumber, view: id }} resetScroll={false}>
      <UrlText url={toReadableUrl(url)} />
    </Link>
  )
}

function WebLink({ url }: { url: string }) {
  const { t } = useLingui()
  return (
    <NewTabLink href={url} says={t`(opens the page in a new tab)`}>
      <UrlText url={toReadableUrl(url)} />
    </NewTabLink>
  )
}

function RequestPart({ requests }: Pick<PageDetailData, 'requests'>) {
  const { t } = useLingui()
  if (!requests || requests.changing.length === 0) return null
  return (
    <DetailPart title={t`Requests that may change something`}>
      <ChangingRequestList requests={requests.changing} />
    </DetailPart>
  )
}

/** Pages of the run that are listed with a page, and the number of those that are not. */
function PageLinks({ page, links: { first, pages, count } }: { page: PageDetailData; links: PageDetailData['referrers'] }) {
  return (
    <>
      <ul>
        {first.map((url, index) => (
          <li key={url} className={layout.break}>
            <PageLink page={page} id={pages[index] ?? null} url={url} />
          </li>
        ))}
      </ul>
      {count > first.length && (
        <p className={layout.muted}>
          <Plural value={count - first.length} one="and # more page" other="and # more pages" />
        </p>
      )}
    </>
  )
}

function AliasList({ page }: { page: PageDetailData }) {
  const { t } = useLingui()
  if (page.aliases.count === 0) return null
  return (
    <DetailPart title={t`Other URLs of this page`}>
      <p>{t`They have the same text, controls and issues, and the same path or canonical URL. All of them count as one page.`}</p>
      <PageLinks page={page} links={page.aliases} />
    </DetailPart>
  )
}

function ReferrerList({ page }: { page: PageDetailData }) {
  const { t } = useLingui()
  if (page.referrers.count === 0) return null
  return (
    <DetailPart title={t`Linked from`}>
      <PageLinks page={page} links={page.referrers} />
    </DetailPart>
  )
}
