import { Plural, useLingui } from '@lingui/react/macro'
import type { IssueId } from '@clearway/contract/kit/id.ts'
import { toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { getUnderstandingUrl, listCriteria, parseCriterion } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo, useDeferredValue, useMemo } from 'react'
import { useStableCallback } from '../../../kit/client/use-stable-callback.ts'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { DetailPanel, DetailPart } from '../../../kit/page/detail-panel.tsx'
import { UrlText } from '../../../kit/text/url-text.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { NewTabLink } from '../../../kit/text/new-tab-link.tsx'
import { RuleGainLine } from '../../run/parts/rule-gain.tsx'
import { RuleReason, RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { getCriterionName } from '../../ruleset/parts/criterion-name.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import type { IssueSearch } from '../model.ts'
import { issueQuery } from '../queries.ts'
import { engineLabels, getStandardNames } from './value-labels.ts'
import { getStateName } from '../parts/state-label.ts'
import { HowToFix } from './how-to-fix.tsx'
import styles from './panel.module.css'
import { IssueReview } from './review.tsx'
import { IssueHistory } from './history.tsx'
import { IssueRemediation } from './remediation.tsx'
import { IssueCuration } from './curation.tsx'
import { IssueDiscussion } from './discussion.tsx'
import { IssueSource } from './source.tsx'
import { IssuePicture } from './picture.tsx'
import { IssueTicket } from './ticket.tsx'
import { IgnoreFacts } from './ignore.tsx'
import { IssueActions } from './actions.tsx'

type IssuePanelProps = {
  id: IssueId
  search: IssueSearch
  position: string | undefined
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onClose: () => void
}

export function IssuePanel(props: IssuePanelProps) {
  const { id: issueId, search: issueSearch } = props
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { data: issue, error: loadError, isPending, ...issueState } = useQuery(issueQuery(apiClient, issueId, issueSearch.run))
  if (isPending)
    return (
      <div data-detail aria-busy>
        <Skeleton label={t`Loading the issue`} />
      </div>
    )
  if (!issue)
    return <ErrorCard title={t`The issue could not be loaded.`} error={loadError} onRetry={() => void issueState.refetch()} />
  return <IssuePanelContent {...props} issue={issue} isBusy={issueState.isPlaceholderData} />
}

function IssuePanelContent({
  id,
  search,
  issue,
  isBusy,
  position,
  ...moves
}: IssuePanelProps & { issue: IssueDetail; isBusy: boolean }) {
  const { t } = useLingui()
  const currentDetail = useMemo(() => ({ issue, search }), [issue, search])
  // Secondary details render later, so that navigation shows each issue at once; until then the previous ones stay inert.
  const deferredDetail = useDeferredValue(currentDetail)
  const closePanel = useStableCallback(moves.onClose)
  return (
    <DetailPanel
      detailId={id}
      isBusy={isBusy || deferredDetail.issue.id !== issue.id}
      {...(position ? { position } : {})}
      {...moves}
      leadingContent={<SignLabel sign={issue.severity} tag />}
      subtitle={<IssueMerits issue={issue} />}
      actions={<IssueActions key={issue.id} issue={issue} />}
      title={<RuleTitle rule={issue.rule} help={issue.help} isUndecided={issue.needsReview} />}
      trailingContent={
        <>
          <IgnoreFacts issue={issue} />
          <IssueReview key={issue.id} issue={issue} search={search} onNext={moves.onNext} />
        </>
      }
    >
      <IssueLocation issue={issue} search={search} />
      <HowToFix issue={issue} />
      <DetailPart title={t`Code`} action={<CopyButton text={getSelectorPath(issue)}>{t`Copy selector`}</CopyButton>}>
        {issue.html !== '' && (
          <pre translate="no" tabIndex={0} aria-label={t`Code`} role="region">
            <code>{issue.html}</code>
          </pre>
        )}
        <code translate="no" className={layout.muted}>
          {getSelectorPath(issue)}
        </code>
        {/* PDFs have no source. */}
        {!issue.rule.startsWith('pdf-') && <IssueSource key={issue.id} issue={issue} />}
      </DetailPart>
      <div inert={deferredDetail.issue.id !== issue.id}>
        <SecondaryDetails {...deferredDetail} onDeleted={closePanel} />
      </div>
    </DetailPanel>
  )
}

/** Success criteria of the issue, and what fixing its rule gains. */
function IssueMerits({ issue }: { issue: IssueDetail }) {
  const criteria = listCriteria(issue.tags)
  return (
    <>
      {criteria.length > 0 && <span className={layout.nowrap}>{['WCAG', criteria.join(', ')].join(' ')}</span>}
      {issue.status === 'open' && !issue.needsReview && (
        <RuleGainLine scanId={issue.scanId} run={issue.runNumber} rule={issue.rule} />
      )}
    </>
  )
}

type SecondaryDetailsProps = { issue: IssueDetail; search: IssueSearch; onDeleted: () => void }

const SecondaryDetails = memo(({ issue, search, onDeleted }: SecondaryDetailsProps) => {
  const { t } = useLingui()
  return (
    <>
      <DetailPart title={t`Why it matters`}>
        <RuleReason rule={issue.rule} description={issue.description} tags={issue.tags} />
      </DetailPart>
      <IssueRule issue={issue} search={search} />
      <OtherPages issue={issue} search={search} />
      <div className={styles.teamwork}>
        <IssueDiscussion issue={issue} />
        <IssueTicket key={`ticket ${issue.id}`} issue={issue} />
        <IssueRemediation key={`remediation ${issue.id}`} issue={issue} />
      </div>
      <IssueHistory issue={issue} />
      <IssueCuration key={issue.id} issue={issue} onDeleted={onDeleted} />
    </>
  )
})

/** Returns the path to an element, through frames and shadow roots. */
const getSelectorPath = (issue: IssueDetail): string => issue.target.flat().join(' › ')

function IssueLocation({ issue, search }: { issue: IssueDetail; search: IssueSearch }) {
  const { t } = useLingui()
  const carriedFromRun = issue.carriedFrom
  return (
    <DetailPart title={t`Where`} action={<CopyButton text={window.location.href}>{t`Copy link`}</CopyButton>}>
      {issue.hasPicture && <IssuePicture key={issue.id} issue={issue} run={search.run} />}
      <p>
        <NewTabLink href={issue.pageUrl} says={t`(opens the page in a new tab)`}>
          {issue.pageTitle || <UrlText url={toReadableUrl(issue.pageUrl)} />}
        </NewTabLink>
        {issue.pageTitle && (
          <span className={`${layout.muted} ${layout.sm} ${styles.url}`}>
            <UrlText url={toReadableUrl(issue.pageUrl)} />
          </span>
        )}
      </p>
      <p className={layout.sm}>{t`Scan: ${issue.scanName}`}</p>
      <IssueStates issue={issue} search={search} />
      {carriedFromRun !== null && <p className={layout.sm}>{t`Unchanged since run ${carriedFromRun}`}</p>}
      <p className={layout.sm}>
        <Link to="/pages" search={{ scanId: [issue.scanId], run: issue.runNumber, view: issue.pageId }}>{t`Page details`}</Link>
      </p>
    </DetailPart>
  )
}

/** Checks and states of the page that show the issue, each with a link to all others. */
function IssueStates({ issue, search }: { issue: IssueDetail; search: IssueSearch }) {
  const { t } = useLingui()
  if (issue.engine !== 'driven') return null
  const listSearch = { ...search, issue: undefined, page: 1, engine: [], state: [] }
  return (
    <p className={layout.sm}>
      {t`Found by:`}{' '}
      <Link to="/issues" search={{ ...listSearch, engine: ['driven'] }}>
        {t(engineLabels.driven)}
      </Link>
      {issue.states.length > 0 && (
        <>
          {' · '}
          {t`Seen in:`}{' '}
          {issue.states.map((state, index) => (
            <span key={state}>
              {index > 0 && ', '}
              <Link to="/issues" search={{ ...listSearch, state: [state] }}>
                {getStateName(state, t)}
              </Link>
            </span>
          ))}
        </>
      )}
    </p>
  )
}

function IssueRule({ issue, search }: { issue: IssueDetail; search: IssueSearch }) {
  const { t } = useLingui()
  // Criteria have a line of their own, with their names.
  const standardLabels = getStandardNames(issue.tags.filter((tag) => !parseCriterion(tag)))
  const ruleId = issue.rule
  return (
    <DetailPart title={t`Rule`}>
      {standardLabels.length > 0 && <p>{standardLabels.join(', ')}</p>}
      {issue.tags.map((tag) => (
        <CriterionLink key={tag} tag={tag} />
      ))}
      {issue.helpUrl && (
        <p>
          {issue.helpUrl.startsWith('/') ? (
            <NewTabLink href={issue.helpUrl} says={t`(opens in a new tab)`}>{t`More about ${ruleId}`}</NewTabLink>
          ) : (
            <EnglishLink href={issue.helpUrl}>{t`More about ${ruleId}`}</EnglishLink>
          )}
        </p>
      )}
      <p>
        <Link to="/issues" search={{ ...search, issue: undefined, page: 1, rule: [ruleId] }}>{t`All issues of this rule`}</Link>
      </p>
    </DetailPart>
  )
}

function EnglishLink({ href, children }: { href: string; children: string }) {
  const { t } = useLingui()
  return (
    <NewTabLink href={href} says={t`(in English, opens in a new tab)`}>
      {children}
    </NewTabLink>
  )
}

/** Explanation of the WCAG criterion of a tag; empty for other tags. */
function CriterionLink({ tag }: { tag: string }) {
  const { t } = useLingui()
  const criterionNumber = parseCriterion(tag)
  const explanationUrl = criterionNumber && getUnderstandingUrl(criterionNumber)
  const criterionName = criterionNumber && getCriterionName(criterionNumber)
  return (
    explanationUrl && (
      <p>
        <EnglishLink href={explanationUrl}>
          {['WCAG', criterionNumber, criterionName && t(criterionName)].filter(Boolean).join(' ')}
        </EnglishLink>
      </p>
    )
  )
}

/** Search for the same rule at the same place, with a row for each page. */
const getSameIssueSearch = (issue: IssueDetail): Partial<IssueSearch> => ({
  scanId: [issue.scanId],
  run: issue.runNumber,
  rule: [issue.rule],
  q: issue.selector.slice(0, 500),
  status: [],
  grouped: false,
})

function OtherPages({ issue, search }: { issue: IssueDetail; search: IssueSearch }) {
  const { t } = useLingui()
  const otherPages = issue.otherPages
  const hiddenPageCount = issue.pages - 1 - otherPages.length
  if (otherPages.length === 0) return null
  return (
    <DetailPart title={t`Also found on`}>
      <ul className={styles.pages}>
        {otherPages.map((page) => (
          <li key={page.issueId}>
            <Link to="/issues" search={{ ...search, issue: page.issueId }} resetScroll={false}>
              <UrlText url={toReadableUrl(page.url)} />
            </Link>
          </li>
        ))}
      </ul>
      {hiddenPageCount > 0 && (
        <p className={layout.muted}>
          <Plural value={hiddenPageCount} one="and # more page" other="and # more pages" />
        </p>
      )}
      <p>
        <Link to="/issues" search={getSameIssueSearch(issue)}>{t`All occurrences`}</Link>
      </p>
    </DetailPart>
  )
}
