import { Plural, useLingui } from '@lingui/react/macro'
import type { PageId } from '@clearway/contract/kit/id.ts'
import { healthScore } from '@clearway/contract/monitor/page/model.ts'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { DetailPanel, DetailPart } from '../../../kit/page/detail-panel.tsx'
import { FactList } from '../../../kit/page/fact-list.tsx'
import { toScorePoints, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import { NewTabLink } from '../../../kit/text/new-tab-link.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import { exclusionTexts, failureTexts, noticeTexts } from '../parts/failure-text.ts'
import { pageQuery } from '../queries.ts'
import { PageManage } from './manage.tsx'
import { PageIssues } from './issues.tsx'
import styles from './panel.module.css'
import { PageMoment } from './moment.tsx'
import { PagePdf } from './pdf.tsx'
import { PageSource } from './source.tsx'
import { PageViews } from './views.tsx'

type Detail = z.output<typeof PageDetail>
type Props = {
  id: PageId
  position: string | undefined
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onClose: () => void
}

/** One page: its facts, what failed and what to do, its issues, its source. */
export function PagePanel({ id, position, ...moves }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const { data: page, error, isPending, refetch } = useQuery(pageQuery(api, id))
  if (isPending) return <Skeleton label={t`Loading the page`} />
  if (!page)
    return <ErrorCard title={t`The page could not be loaded.`} error={error} onRetry={() => void refetch()} />
  const isPdf = page.mimeType === 'application/pdf'
  return (
    <DetailPanel
      detailId={id}
      {...(position ? { position } : {})}
      {...moves}
      leadingContent={page.health && <SignLabel sign={page.health} tag />}
      title={page.title || page.url}
      trailingContent={<WebLink url={page.url} />}
    >
      <Outcome page={page} />
      {page.hasPicture && <PageMoment page={page} />}
      {page.views > 0 && <PageViews key={`views ${page.id}`} page={page} />}
      <Facts page={page} />
      <Referrers page={page} />
      {page.status === 'completed' && <PageIssues page={page} />}
      {page.hasContent && isPdf && <PagePdf key={page.id} id={page.id} />}
      {page.hasContent && !isPdf && <PageSource key={page.id} page={page} />}
      {/* While the page before is still shown, nothing can be done to it by mistake. */}
      {page.id === id && <PageManage key={`manage ${id}`} page={page} onDeleted={moves.onClose} />}
    </DetailPanel>
  )
}

function Outcome({ page }: { page: Detail }) {
  const { t } = useLingui()
  const detail = page.detail?.split('\n').map((line, i) => (
    <p key={i} className={layout.break}>
      <code lang="en" translate="no">
        {line}
      </code>
    </p>
  ))
  const stored = page.issuesNotStored
  return (
    <>
      {page.failure && (
        <div className={styles.outcome}>
          <Notice kind="error" title={t(failureTexts[page.failure].what)}>
            {detail}
            <p>{t(failureTexts[page.failure].remedy)}</p>
          </Notice>
        </div>
      )}
      {page.exclusion && (
        <div className={styles.outcome}>
          <Notice kind="info" title={t(exclusionTexts[page.exclusion])}>
            {detail}
          </Notice>
        </div>
      )}
      {page.notices.map((notice) => (
        <div key={notice} className={styles.outcome}>
          <Notice kind="caution" title={t(noticeTexts[notice])}>
            {notice === 'frame-not-tested' && detail}
            {notice === 'issue-limit-reached' && <p>{t`Issues that are only counted: ${stored}`}</p>}
          </Notice>
        </div>
      ))}
    </>
  )
}

function Facts({ page }: { page: Detail }) {
  const { t } = useLingui()
  const { formatDateTime: dateTime, formatDuration: duration, formatNumber: number } = useFormats()
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t`Score`, page.health && number(toScorePoints(healthScore[page.health]))],
    [t`Scan`, page.scanName],
    [t`Run`, number(page.runNumber)],
    [t`Tested`, page.analysedAt && dateTime(page.analysedAt)],
    [t`Unchanged since run`, page.carriedFrom !== null && number(page.carriedFrom)],
    [t`Duration`, page.durationMs !== null && duration(page.durationMs)],
    [t`HTTP status`, page.httpStatus],
    [t`Type`, page.mimeType],
    [t`Levels below the start`, number(page.depth)],
    [t`Attempts`, page.attempts > 1 && number(page.attempts)],
    [t`Found on`, page.foundOn ?? t`Start URL`],
    [t`Leads to`, page.leadsTo],
  ]
  return (
    <DetailPart title={t`Details`}>
      <FactList facts={facts} />
    </DetailPart>
  )
}

/** A page of the same run by its details; another one as it is on the web. */
function PageLink({ page, id, url }: { page: Detail; id: PageId | null; url: string }) {
  if (id === null) return <WebLink url={url} />
  return (
    <Link to="/pages" search={{ scanId: [page.scanId], run: page.runNumber, view: id }} resetScroll={false}>
      {url}
    </Link>
  )
}

function WebLink({ url }: { url: string }) {
  const { t } = useLingui()
  return (
    <NewTabLink href={url} says={t`(opens the page in a new tab)`}>
      {url}
    </NewTabLink>
  )
}

function Referrers({ page }: { page: Detail }) {
  const { t } = useLingui()
  const { first, pages, count } = page.referrers
  if (count === 0) return null
  return (
    <DetailPart title={t`Linked from`}>
      <ul>
        {first.map((url, at) => (
          <li key={url} className={layout.break}>
            <PageLink page={page} id={pages[at] ?? null} url={url} />
          </li>
        ))}
      </ul>
      {count > first.length && (
        <p className={layout.muted}>
          <Plural value={count - first.length} one="and # more page" other="and # more pages" />
        </p>
      )}
    </DetailPart>
  )
}
