import { Plural, useLingui } from '@lingui/react/macro'
import { standards } from '@clearway/contract/monitor/ruleset/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import type { Overview } from '../queries.ts'
import { RunState } from '../parts/state.tsx'

/** When the run was, by which rules, and what became of the URLs it met. */
export function RunFacts({ run }: { run: Overview }) {
  const { t } = useLingui()
  const { formatDateTime: dateTime, formatDuration: duration } = useFormats()
  const { ruleSet, openIssues } = run
  const search = { scanId: [run.scanId], run: run.number }
  const open = openIssues.critical + openIssues.serious + openIssues.moderate + openIssues.minor
  const extras = [ruleSet.bestPractices && t`best practices`, ruleSet.experimental && t`experimental`].filter(
    Boolean,
  )
  return (
    <section className={`${layout.card} ${layout.pad}`} aria-labelledby="this-run">
      <div className={layout.cardHead}>
        <h2 id="this-run">{t`This run`}</h2>
        <span className={layout.sm}>
          <RunState run={run} />
        </span>
      </div>
      <dl className={layout.facts}>
        <Fact name={t`Queued`}>{dateTime(run.queuedAt)}</Fact>
        <Fact name={t`Started`}>{run.startedAt ? dateTime(run.startedAt) : t`Not yet`}</Fact>
        <Fact name={t`Ended`}>{run.endedAt ? dateTime(run.endedAt) : t`Not yet`}</Fact>
        <Fact name={t`Duration`}>{run.durationMs === null ? '–' : duration(run.durationMs)}</Fact>
        <Fact name={t`Rules`}>
          {[`axe-core ${run.axeRelease}`, standards[ruleSet.standard].name, ...extras].join(', ')}
        </Fact>
        <Fact name={t`Issues`}>
          <Link to="/issues" search={search}>
            <Plural value={open} one="# open" other="# open" />
          </Link>
          {/* Summed up when the run ends. */}
          {run.endedAt && (
            <>
              {', '}
              <Plural value={run.totalIssues} one="# found" other="# found" />
            </>
          )}
        </Fact>
        <PageFacts run={run} search={search} />
        {run.owners.length > 0 && (
          <Fact name={t`Owners`}>{run.owners.map((name) => name ?? t`Former member`).join(', ')}</Fact>
        )}
      </dl>
    </section>
  )
}

type Search = { scanId: Overview['scanId'][]; run: number }

/** What became of every URL that the run met. */
function PageFacts({ run, search }: { run: Overview; search: Search }) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const { pages } = run
  return (
    <>
      <Fact name={t`URLs discovered`}>
        {number(pages.found)}{' '}
        {pages.unique < pages.found && (
          <span className={layout.muted}>
            <Plural value={pages.unique} one="(# different page)" other="(# different pages)" />
          </span>
        )}
      </Fact>
      <Fact name={t`Pages`}>
        <Link to="/pages" search={search}>
          <Plural value={pages.completed} one="# tested" other="# tested" />
        </Link>
        {pages.failed > 0 && (
          <>
            {', '}
            <Link to="/pages" search={{ ...search, tab: 'failed' }}>
              <Plural value={pages.failed} one="# failed" other="# failed" />
            </Link>
          </>
        )}
      </Fact>
      {run.reuse.carried > 0 && <Fact name={t`Unchanged pages`}>{number(run.reuse.carried)}</Fact>}
      <Fact name={t`Retried`}>{number(pages.retried)}</Fact>
      <Fact name={t`Excluded by settings`}>
        <Counted value={pages.excluded} search={search} />
      </Fact>
      <Fact name={t`On other domains`}>
        <Counted value={pages.otherDomainIgnored} search={search} />
      </Fact>
      {run.status !== 'completed' && pages.notReached > 0 && (
        <Fact name={t`Not reached`}>
          <Plural value={pages.notReached} one="# page" other="# pages" />
        </Fact>
      )}
    </>
  )
}

function Counted({ value, search }: { value: number; search: Search }) {
  const { formatNumber: number } = useFormats()
  if (value === 0) return number(0)
  return (
    <Link to="/pages" search={{ ...search, tab: 'excluded' }}>
      <Plural value={value} one="# URL" other="# URLs" />
    </Link>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
