import { Plural, useLingui } from '@lingui/react/macro'
import type { IssueId } from '@clearway/contract/kit/id.ts'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { criterionOf, understandingUrl } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo, useDeferredValue, useMemo } from 'react'
import { useStableCallback } from '../../../kit/client/use-latest.ts'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { DetailPanel, DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { NewTabLink } from '../../../kit/text/new-tab-link.tsx'
import { RuleReason, RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import type { IssueSearch } from '../model.ts'
import { issueQuery } from '../queries.ts'
import { standardNames } from '../parts/words.ts'
import { HowToFix } from './how-to-fix.tsx'
import styles from './panel.module.css'
import { IssueHistory } from './history.tsx'
import { IssueRemedy } from './remedy.tsx'
import { IssueCuration } from './curation.tsx'
import { IssuePeople } from './people.tsx'
import { IssueSource } from './source.tsx'
import { IssuePicture } from './picture.tsx'
import { IssueTicket } from './ticket.tsx'
import { IgnoreFacts } from './ignore.tsx'
import { IssueActions } from './actions.tsx'

type Props = {
  id: IssueId
  search: IssueSearch
  position: string | undefined
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onClose: () => void
}

/** One issue: what is wrong, where, how to fix it, where else, and its status. */
export function IssuePanel(props: Props) {
  const { id, search } = props
  const { t } = useLingui()
  const { api } = useSession()
  const { data: issue, error, isPending, ...query } = useQuery(issueQuery(api, id, search.run))
  if (isPending)
    return (
      <div data-detail aria-busy>
        <Skeleton label={t`Loading the issue`} />
      </div>
    )
  if (!issue)
    return (
      <ErrorCard
        title={t`The issue could not be loaded.`}
        error={error}
        onRetry={() => void query.refetch()}
      />
    )
  return <Whole {...props} issue={issue} busy={query.isPlaceholderData} />
}

function Whole({
  id,
  search,
  issue,
  busy,
  position,
  ...moves
}: Props & { issue: IssueDetail; busy: boolean }) {
  const { t } = useLingui()
  const now = useMemo(() => ({ issue, search }), [issue, search])
  // The rest follows a moment later, so that going from issue to issue shows each at once. Until then it is the one before: out of reach.
  const later = useDeferredValue(now)
  const onDeleted = useStableCallback(moves.onClose)
  return (
    <DetailPanel
      detailId={id}
      isBusy={busy || later.issue.id !== issue.id}
      {...(position ? { position } : {})}
      {...moves}
      leadingContent={<SignLabel sign={issue.severity} tag />}
      actions={<IssueActions key={issue.id} issue={issue} />}
      title={<RuleTitle rule={issue.rule} help={issue.help} />}
      trailingContent={
        <>
          <IgnoreFacts issue={issue} />
          {issue.needsReview && (
            <p className={layout.sm}>{t`axe-core could not decide this by itself: a person must look.`}</p>
          )}
        </>
      }
    >
      <Where issue={issue} run={search.run} />
      <DetailPart
        title={t`Code`}
        action={<CopyButton text={selectorOf(issue)}>{t`Copy selector`}</CopyButton>}
      >
        {issue.html !== '' && (
          <pre translate="no" tabIndex={0} aria-label={t`Code`} role="region">
            <code>{issue.html}</code>
          </pre>
        )}
        <code translate="no" className={layout.muted}>
          {selectorOf(issue)}
        </code>
        {/* Of a PDF there is none. */}
        {!issue.rule.startsWith('pdf-') && <IssueSource key={issue.id} issue={issue} />}
      </DetailPart>
      <HowToFix issue={issue} />
      <div inert={later.issue.id !== issue.id}>
        <Rest {...later} onDeleted={onDeleted} />
      </div>
    </DetailPanel>
  )
}

type RestProps = { issue: IssueDetail; search: IssueSearch; onDeleted: () => void }

/** What stands below what people decide by. */
const Rest = memo(({ issue, search, onDeleted }: RestProps) => {
  const { t } = useLingui()
  return (
    <>
      <DetailPart title={t`Why it matters`}>
        <RuleReason rule={issue.rule} description={issue.description} tags={issue.tags} />
      </DetailPart>
      <Rule issue={issue} search={search} />
      <Elsewhere issue={issue} search={search} />
      <IssuePeople issue={issue} />
      <IssueTicket key={`ticket ${issue.id}`} issue={issue} />
      <IssueRemedy key={`remedy ${issue.id}`} issue={issue} />
      <IssueHistory issue={issue} />
      <IssueCuration key={issue.id} issue={issue} onDeleted={onDeleted} />
    </>
  )
})

/** The path to an element, through frames and shadow roots. */
const selectorOf = (issue: IssueDetail): string => issue.target.flat().join(' › ')

function Where({ issue, run }: { issue: IssueDetail; run: number | undefined }) {
  const { t } = useLingui()
  const before = issue.carriedFrom
  return (
    <DetailPart title={t`Where`} action={<CopyButton text={window.location.href}>{t`Copy link`}</CopyButton>}>
      {issue.hasPicture && <IssuePicture key={issue.id} issue={issue} run={run} />}
      <p>
        <NewTabLink href={issue.pageUrl} says={t`(opens the page in a new tab)`}>
          {issue.pageTitle || issue.pageUrl}
        </NewTabLink>
        {issue.pageTitle && (
          <span className={`${layout.muted} ${layout.sm} ${styles.url}`}>{issue.pageUrl}</span>
        )}
      </p>
      <p className={layout.sm}>{t`Scan: ${issue.scanName}`}</p>
      {before !== null && <p className={layout.sm}>{t`Unchanged since run ${before}`}</p>}
      <p className={layout.sm}>
        <Link
          to="/pages"
          search={{ scanId: [issue.scanId], run: issue.runNumber, view: issue.pageId }}
        >{t`Page details`}</Link>
      </p>
    </DetailPart>
  )
}

function Rule({ issue, search }: { issue: IssueDetail; search: IssueSearch }) {
  const { t } = useLingui()
  const names = standardNames(issue.tags)
  const rule = issue.rule
  return (
    <DetailPart title={t`Rule`}>
      {names.length > 0 && <p>{names.join(', ')}</p>}
      {issue.tags.map((tag) => (
        <Criterion key={tag} tag={tag} />
      ))}
      {issue.helpUrl && (
        <p>
          <EnglishLink href={issue.helpUrl}>{t`More about ${rule}`}</EnglishLink>
        </p>
      )}
      <p>
        <Link
          to="/issues"
          search={{ ...search, issue: undefined, page: 1, rule: [rule] }}
        >{t`All issues of this rule`}</Link>
      </p>
    </DetailPart>
  )
}

/** A page elsewhere that is in English. */
function EnglishLink({ href, children }: { href: string; children: string }) {
  const { t } = useLingui()
  return (
    <NewTabLink href={href} says={t`(in English, opens in a new tab)`}>
      {children}
    </NewTabLink>
  )
}

/** Where the criterion that a tag means is explained; nothing for other tags. */
function Criterion({ tag }: { tag: string }) {
  const { t } = useLingui()
  const criterion = criterionOf(tag)
  const url = criterion && understandingUrl(criterion)
  return (
    url && (
      <p>
        <EnglishLink href={url}>{t`Understanding WCAG ${criterion}`}</EnglishLink>
      </p>
    )
  )
}

/** The list of the same rule at the same place, a row for each page. */
const sameFault = (issue: IssueDetail): Partial<IssueSearch> => ({
  scanId: [issue.scanId],
  run: issue.runNumber,
  rule: [issue.rule],
  q: issue.selector.slice(0, 500),
  status: [],
  grouped: false,
})

function Elsewhere({ issue, search }: { issue: IssueDetail; search: IssueSearch }) {
  const { t } = useLingui()
  const others = issue.otherPages
  const more = issue.pages - 1 - others.length
  if (others.length === 0) return null
  return (
    <DetailPart title={t`Also found on`}>
      <ul className={styles.pages}>
        {others.map((page) => (
          <li key={page.issueId}>
            <Link to="/issues" search={{ ...search, issue: page.issueId }} resetScroll={false}>
              {page.url}
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={layout.muted}>
          <Plural value={more} one="and # more page" other="and # more pages" />
        </p>
      )}
      <p>
        <Link to="/issues" search={sameFault(issue)}>{t`All occurrences`}</Link>
      </p>
    </DetailPart>
  )
}
