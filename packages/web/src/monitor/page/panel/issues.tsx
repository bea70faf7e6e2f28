import { Plural, useLingui } from '@lingui/react/macro'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type * as z from 'zod/mini'
import { Field } from '../../../kit/form/field.tsx'
import { Select } from '../../../kit/form/select.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import { getStateName } from '../../issue/parts/state-label.ts'
import { splitViews } from '../model-view.ts'
import { pageIssuesQuery, pageStatesQuery, pageViewsQuery } from '../queries.ts'
import { buildMarkers } from './marker.ts'
import styles from './panel.module.css'

/** Open issues without a number in the picture above; all of them if the page was tested in several states. */
export function PageIssues({ page }: { page: z.output<typeof PageDetail> }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const [chosenState, setChosenState] = useState('')
  const pageIssues = useQuery(pageIssuesQuery(apiClient, page, chosenState))
  const states = useQuery({ ...pageStatesQuery(apiClient, page), enabled: page.driven !== null }).data ?? []
  const numberedIds = useNumberedIssues(page, states.length === 0)
  const listedIssues = pageIssues.data?.content.filter(({ id }) => !numberedIds.has(id))
  const pageSearch = { scanId: [page.scanId], run: page.runNumber, pageId: [page.id], grouped: false }
  const issueSearch = chosenState === '' ? pageSearch : { ...pageSearch, state: [chosenState] }
  // The list below the picture has all of them.
  const hasFurtherIssues = (pageIssues.data?.totalIssues ?? 0) > (pageIssues.data?.content.length ?? 0)
  if (numberedIds.size > 0 && listedIssues?.length === 0 && !hasFurtherIssues) return null
  return (
    <DetailPart title={numberedIds.size > 0 && listedIssues?.length ? t`Other open issues` : t`Open issues`}>
      {states.length > 0 && (
        <Field label={t`Seen in`} width="narrow">
          {(control) => (
            <Select
              {...control}
              value={chosenState}
              options={[['', t`Any state`], ...states.map((state) => [state, getStateName(state, t)] as const)]}
              onChange={setChosenState}
            />
          )}
        </Field>
      )}
      {pageIssues.isPending && <p className={layout.muted}>{t`Loading`}</p>}
      {pageIssues.isError && (
        <ErrorCard
          title={t`The issues could not be loaded.`}
          error={pageIssues.error}
          onRetry={() => void pageIssues.refetch()}
        />
      )}
      {pageIssues.data?.content.length === 0 && <p>{t`No open issues on this page.`}</p>}
      {pageIssues.data && listedIssues && pageIssues.data.content.length > 0 && (
        <>
          <ul className={styles.issues}>
            {listedIssues.map((issue) => (
              <li key={issue.id}>
                <SignLabel sign={issue.severity} />
                <span>
                  <Link to="/issues" search={{ ...issueSearch, issue: issue.id }}>
                    <RuleTitle rule={issue.rule} help={issue.help} isUndecided={issue.needsReview} />
                  </Link>
                  <br />
                  <code translate="no">{issue.selector}</code>
                </span>
              </li>
            ))}
          </ul>
          <p>
            <Link to="/issues" search={issueSearch}>
              <Plural
                value={pageIssues.data.totalIssues}
                one="# issue in the issues list"
                other="All # issues in the issues list"
              />
            </Link>
          </p>
        </>
      )}
    </DetailPart>
  )
}

/** Ids of the issues that the list below the picture of a page explains. */
function useNumberedIssues(page: z.output<typeof PageDetail>, isWanted: boolean): ReadonlySet<string> {
  const { api: apiClient } = useSession()
  const { own: ownViews } = splitViews(page)
  const views = useQuery({ ...pageViewsQuery(apiClient, page.id), enabled: isWanted && ownViews.length > 0 }).data
  const firstView = isWanted ? views?.find(({ number }) => number === ownViews[0]) : undefined
  return useMemo(
    () => new Set(firstView && buildMarkers(firstView).markers.flatMap(({ issues }) => issues.map(({ id }) => id))),
    [firstView],
  )
}
