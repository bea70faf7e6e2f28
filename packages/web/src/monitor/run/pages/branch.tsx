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
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { NewTabLink } from '../../../kit/text/new-tab-link.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { BranchIssueSection } from '../branch/issue-section.tsx'
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
        totalCount={branchRun.otherNewIssues.length}
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
      <UncheckedSection unchecked={branchRun.unchecked} />
      <CountSection id="not-checked" title={t`Known issues that were not checked`} counts={branchRun.notChecked} />
      <CountSection id="fixed" title={t`Fixed`} counts={branchRun.fixed} />
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

function UncheckedSection({ unchecked }: Pick<BranchRun, 'unchecked'>) {
  const { t } = useLingui()
  if (unchecked.length === 0) return null
  const columns: readonly Column<BranchRun['unchecked'][number]>[] = [
    {
      key: 'target',
      heading: t`Page`,
      isRowHeading: true,
      renderCell: ({ target }) => (
        <span translate="no" className={layout.break}>
          {target}
        </span>
      ),
    },
    {
      key: 'reason',
      heading: t`Reason`,
      renderCell: ({ reason, detail }) => (
        <span lang="en" className={layout.break}>
          {detail || reason}
        </span>
      ),
    },
  ]
  return (
    <section className={layout.card} aria-labelledby="unchecked">
      <div className={layout.pad}>
        <h2 id="unchecked">{t`Pages without a result`}</h2>
      </div>
      <DataTable caption={t`Pages without a result`} columns={columns} rows={unchecked} rowKey={({ target }) => target} />
    </section>
  )
}

type CountSectionProps = { id: string; title: string; counts: BranchRun['fixed'] }

/** Numbers of issues by page and rule. */
function CountSection({ id, title, counts }: CountSectionProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  if (counts.length === 0) return null
  const columns: readonly Column<BranchRun['fixed'][number]>[] = [
    {
      key: 'page',
      heading: t`Page`,
      isRowHeading: true,
      renderCell: ({ page }) => (
        <span translate="no" className={layout.break}>
          {page}
        </span>
      ),
    },
    { key: 'rule', heading: t`Rule`, renderCell: ({ rule }) => <code translate="no">{rule}</code> },
    { key: 'issues', heading: t`Issues`, isNumeric: true, renderCell: ({ issues }) => formatNumber(issues) },
  ]
  return (
    <section className={layout.card} aria-labelledby={id}>
      <div className={layout.pad}>
        <h2 id={id}>{title}</h2>
      </div>
      <DataTable caption={title} columns={columns} rows={counts} rowKey={({ page, rule }) => `${page} ${rule}`} />
    </section>
  )
}
