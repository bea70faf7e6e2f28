import { useLingui } from '@lingui/react/macro'
import type { BranchRun } from '@clearway/contract/monitor/run/branch/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { FactList } from '../../../kit/page/fact-list.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice, QueryState } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { NewTabLink } from '../../../kit/text/new-tab-link.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { BranchIssueSection } from '../branch/issue-section.tsx'
import { CountSection, UncheckedSection } from '../branch/list-sections.tsx'
import { RemoveBranchRunDialog } from '../branch/remove-dialog.tsx'
import { BranchResultSign } from '../branch/result.tsx'
import { branchSearchDefaults } from '../model-branch.ts'
import { branchRunQuery } from '../queries-branch.ts'

const branchRoute = getRouteApi('/scans/$scanId/branches/$branchRun')

/** /scans/{scanId}/branches/{branchRun}: what a gate found on a branch. */
export function BranchPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const { scanId, branchRun: branchRunId } = branchRoute.useParams()
  const navigateTo = branchRoute.useNavigate()
  const scan = useQuery(scanQuery(apiClient, scanId)).data
  const branchRun = useQuery(branchRunQuery(apiClient, { id: scanId, branchRun: branchRunId }))
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <>
      <PageHead
        title={branchRun.data?.branch ?? t`Branch`}
        productName={appConfig.productName}
        crumbs={[
          <Link key="scans" to="/scans">{t`Scans`}</Link>,
          <Link key="scan" to="/scans/$scanId" params={{ scanId }}>
            {scan?.name ?? ''}
          </Link>,
          <Link key="branches" to="/scans/$scanId/branches" params={{ scanId }}>{t`Branches`}</Link>,
        ]}
        facts={branchRun.data && <BranchResultSign result={branchRun.data.result} />}
        actions={scan?.rights.curate && branchRun.data && <Button onPress={() => setIsDeleting(true)}>{t`Delete…`}</Button>}
      />
      <QueryState query={branchRun} loadingLabel={t`Loading`} failureTitle={t`The result could not be loaded.`} fillsScreen />
      {branchRun.data && <BranchDetails branchRun={branchRun.data} />}
      {isDeleting && branchRun.data && (
        <RemoveBranchRunDialog
          scanId={scanId}
          branchRun={branchRun.data}
          onRemoved={() => void navigateTo({ to: '/scans/$scanId/branches', params: { scanId }, search: branchSearchDefaults })}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </>
  )
}

function BranchDetails({ branchRun }: { branchRun: BranchRun }) {
  const { t } = useLingui()
  const { totals, baselineAxe } = branchRun
  return (
    <div className={layout.stack}>
      <BranchFacts branchRun={branchRun} />
      {branchRun.result === 'incomplete' && (
        <Notice kind="caution" title={t`Not everything was tested: fewer new issues may be listed than there are.`} />
      )}
      <BranchIssueSection id="new-issues" title={t`New issues`} issues={branchRun.newIssues} totalCount={totals.new}>
        {t`The scan does not have these issues; they fail the gate.`}
      </BranchIssueSection>
      <BranchIssueSection
        id="other-issues"
        title={t`New, without failing the gate`}
        issues={branchRun.otherNewIssues}
        totalCount={totals.otherNew ?? branchRun.otherNewIssues.length}
      >
        {t`Results that need review, and issues of a lower impact than the gate was set to.`}
      </BranchIssueSection>
      <BranchIssueSection
        id="axe-issues"
        title={t`Only by another version of axe-core`}
        issues={branchRun.axeChangedIssues}
        totalCount={totals.axeChanged}
      >
        {t`axe-core ${baselineAxe}, which the scan uses, does not report these.`}
      </BranchIssueSection>
      <UncheckedSection unchecked={branchRun.unchecked} totalCount={totals.unchecked ?? branchRun.unchecked.length} />
      <CountSection
        id="not-checked"
        title={t`Known issues that were not checked`}
        counts={branchRun.notChecked}
        totalCount={totals.notChecked}
      />
      <CountSection id="fixed" title={t`Fixed`} counts={branchRun.fixed} totalCount={totals.fixed} />
    </div>
  )
}

function BranchFacts({ branchRun }: { branchRun: BranchRun }) {
  const { t } = useLingui()
  const { formatNumber, formatDateTime } = useFormats()
  const { totals, commit, buildUrl, axeRelease } = branchRun
  return (
    <section className={`${layout.card} ${layout.pad}`} aria-labelledby="facts">
      <div className={layout.cardHead}>
        <h2 id="facts">{t`At a glance`}</h2>
      </div>
      <FactList
        facts={[
          [t`New`, formatNumber(totals.new)],
          [t`Known`, formatNumber(totals.known)],
          [t`Fixed`, formatNumber(totals.fixed)],
          [t`Not checked`, formatNumber(totals.notChecked)],
          [t`Pages`, formatNumber(totals.pages)],
          [t`Commit`, commit && <CommitId key="commit" commit={commit} />],
          [t`Build`, buildUrl && <BuildLink key="build" buildUrl={buildUrl} />],
          [t`Uploaded`, formatDateTime(branchRun.uploadedAt)],
          [t`Uploaded by`, branchRun.uploadedBy.name ?? t`Former member`],
          ['axe-core', axeRelease],
        ]}
      />
    </section>
  )
}

const CommitId = ({ commit }: { commit: string }) => (
  <code translate="no" className={layout.break}>
    {commit}
  </code>
)

function BuildLink({ buildUrl }: { buildUrl: string }) {
  const { t } = useLingui()
  return <NewTabLink href={buildUrl} says={t`(opens in a new tab)`}>{t`Open the build`}</NewTabLink>
}
