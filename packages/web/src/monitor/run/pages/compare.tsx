import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ImpactCounts } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ComparedSide, RunComparison } from '@clearway/contract/monitor/run/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Select } from '../../../kit/form/select.tsx'
import type * as z from 'zod/mini'
import { DataTable, type Column } from '../../../kit/table/table.tsx'
import { FilterChips } from '../../../kit/page/chips.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { computePointChange, toScorePoints, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { EmptyState, ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { ComparedIssues, ComparedPages } from '../compare/lists.tsx'
import { compareQuery, runListQuery } from '../queries.ts'
import styles from './compare.module.css'

const route = getRouteApi('/scans/$scanId/$run/compare/$other')
type Comparison = RunComparison
type Severity = keyof z.output<typeof ImpactCounts>
const severities = ['critical', 'serious', 'moderate', 'minor', 'needsReview'] as const satisfies Severity[]

/** /scans/{scanId}/{run}/compare/{other}: what one run has against another. */
export function CompareRunsPage() {
  const { t } = useLingui()
  const { scanId, run, other } = route.useParams()
  const { api, config } = useSession()
  const scan = useQuery(scanQuery(api, scanId))
  const compared = useQuery(compareQuery(api, { scanId, run }, other))
  const name = scan.data?.name ?? ''
  return (
    <>
      <PageHead
        title={t`Compare runs ${run} and ${other}`}
        productName={config.productName}
        crumbs={[
          <Link key="scans" to="/scans">{t`Scans`}</Link>,
          <Link key="scan" to="/scans/$scanId" params={{ scanId }}>
            {name}
          </Link>,
        ]}
      />
      {scan.data && <Choice scan={scan.data} scanId={scanId} run={run} other={other} />}
      {compared.isPending && <Skeleton label={t`Loading the comparison`} />}
      {run === other && <Notice kind="info" title={t`These are the same run: choose another.`} />}
      {compared.isError && (
        <ErrorCard
          title={t`The runs could not be compared.`}
          error={compared.error}
          onRetry={() => void compared.refetch()}
        />
      )}
      {compared.data && run !== other && <Result compared={compared.data} scanId={scanId} />}
    </>
  )
}

function Choice({
  scan,
  scanId,
  run,
  other,
}: {
  scan: ScanSummary
  scanId: ScanId
  run: number
  other: number
}) {
  const { t } = useLingui()
  const { api } = useSession()
  const { formatDate: date } = useFormats()
  const navigate = useNavigate()
  const runs = useQuery(runListQuery(api, scan.id)).data?.content ?? []
  const go = (to: { run: number; other: number }) =>
    void navigate({
      to: '/scans/$scanId/$run/compare/$other',
      params: { scanId, run: to.run, other: to.other },
      replace: true,
    })
  const choose = (label: string, value: number, onChange: (chosen: number) => void) => (
    <Field label={label}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={onChange}
          options={[
            ...(runs.some(({ number }) => number === value) ? [] : [[value, t`Run ${value}`] as const]),
            ...runs.map(
              ({ number, queuedAt }) => [number, `${t`Run ${number}`}, ${date(queuedAt)}`] as const,
            ),
          ]}
        />
      )}
    </Field>
  )
  return (
    <div className={styles.choice}>
      {choose(t`This run`, run, (chosen) => go({ run: chosen, other }))}
      {choose(t`Against`, other, (chosen) => go({ run, other: chosen }))}
    </div>
  )
}

function Result({ compared, scanId }: { compared: Comparison; scanId: ScanId }) {
  const { t } = useLingui()
  const { formatNumber: number, formatSigned: signed } = useFormats()
  const { onlyHere: brought, onlyThere: took } = compared.byRuleSet
  const { run, other } = compared
  const scores = run.score === null || other.score === null ? null : { run: run.score, other: other.score }
  const moved = signed(scores ? computePointChange(scores.run, scores.other) : 0)
  const issues = sumOf(compared)
  return (
    <div className={layout.stack}>
      {compared.ruleSetChanged && (
        <Notice
          kind="caution"
          title={t`The two runs used different rules: some differences come from that, not from the site.`}
        >
          <p>{t`Only because the rules differ, ${number(brought)} of the issues appeared and ${number(took)} disappeared.`}</p>
        </Notice>
      )}
      <section className={`${layout.card} ${layout.pad}`} aria-labelledby="sums">
        <div className={layout.cardHead}>
          <h2 id="sums">{t`At a glance`}</h2>
        </div>
        <dl className={layout.facts}>
          <Fact
            name={t`Score`}
            value={
              scores === null
                ? t`Cannot be compared`
                : t`${toScorePoints(scores.run)} in run ${run.number}, ${toScorePoints(scores.other)} in run ${other.number} (${moved})`
            }
          />
          <Fact
            name={t`Open issues`}
            value={t`${number(issues.both)} in both, ${number(issues.onlyHere)} only in run ${run.number}, ${number(issues.onlyThere)} only in run ${other.number}`}
          />
          <Fact
            name={t`Pages`}
            value={t`${number(compared.pages.both)} in both, ${number(compared.pages.onlyHere)} only in run ${run.number}, ${number(compared.pages.onlyThere)} only in run ${other.number}`}
          />
        </dl>
        <p
          className={layout.muted}
        >{t`Issues that were ignored or marked as fixed are not open, even if a run found them again.`}</p>
      </section>
      <section className={layout.card}>
        <BySeverity compared={compared} />
      </section>
      <Issues key={`issues ${compared.run.id} ${compared.other.id}`} compared={compared} scanId={scanId} />
      <Pages key={`pages ${compared.run.id} ${compared.other.id}`} compared={compared} scanId={scanId} />
    </div>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function BySeverity({ compared }: { compared: Comparison }) {
  const { t } = useLingui()
  const columns = useSeverityColumns(compared)
  return (
    <DataTable caption={t`Issues by impact`} columns={columns} rows={[...severities]} rowKey={(s) => s} />
  )
}

function useSeverityColumns(compared: Comparison): Column<Severity>[] {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const names = useSideNames(compared)
  const column = (key: ComparedSide): Column<Severity> => ({
    key,
    heading: names[key],
    isNumeric: true,
    renderCell: (severity) => number(compared[key][severity]),
  })
  return [
    {
      key: 'severity',
      heading: t`Impact`,
      isRowHeading: true,
      renderCell: (severity) => <SignLabel sign={severity === 'needsReview' ? 'needs review' : severity} />,
    },
    column('onlyHere'),
    column('both'),
    column('onlyThere'),
  ]
}

type RuleRow = Comparison['rules'][number]
const sides = ['onlyHere', 'onlyThere', 'both'] as const satisfies ComparedSide[]

/** What only one run has, what only the other one has, or what both have: three buttons with how much of it there is. */
function SideChoice({
  compared,
  label,
  side,
  counts,
  onChange,
}: {
  compared: Comparison
  label: string
  side: ComparedSide
  counts: Record<ComparedSide, number>
  onChange: (side: ComparedSide) => void
}) {
  const { formatNumber: number } = useFormats()
  const names = useSideNames(compared)
  return (
    <Segmented
      label={label}
      value={side}
      onChange={onChange}
      options={sides.map((value) => ({
        value,
        label: (
          <>
            {names[value]} <span className={layout.num}>{number(counts[value])}</span>
          </>
        ),
      }))}
    />
  )
}

/** By the numbers of the runs, so that nobody has to remember which one is the other. */
function useSideNames({ run, other }: Comparison): Record<ComparedSide, string> {
  const { t } = useLingui()
  const onlyIn = (number: number) => t`Only in run ${number}`
  return { onlyHere: onlyIn(run.number), onlyThere: onlyIn(other.number), both: t`In both` }
}

/** How many issues are on each side. */
function sumOf({ rules }: Comparison): Record<ComparedSide, number> {
  const sum = (side: ComparedSide) => rules.reduce((total, row) => total + row[side], 0)
  return { onlyHere: sum('onlyHere'), onlyThere: sum('onlyThere'), both: sum('both') }
}

const firstWith = (counts: Record<ComparedSide, number>): ComparedSide =>
  sides.find((one) => counts[one] > 0) ?? 'onlyHere'

/** The rules and issues of one side: what is new, what is gone, or what stayed; the most first. */
function Issues({ compared, scanId }: { compared: Comparison; scanId: ScanId }) {
  const { t } = useLingui()
  const counts = sumOf(compared)
  const [side, setSide] = useState<ComparedSide>(() => firstWith(counts))
  const [rule, setRule] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const names = useSideNames(compared)
  const columns = useRuleColumns(names, (chosen) => {
    setRule(chosen)
    heading.current?.focus()
  })
  const rows = compared.rules.filter((row) => row[side] > 0).toSorted((a, b) => b[side] - a[side])
  const runs = { scanId, run: compared.run.number, other: compared.other.number }
  return (
    <>
      <section className={layout.card} aria-labelledby="by-rule">
        <div className={`${layout.pad} ${layout.tight}`}>
          <h2 id="by-rule">{t`Rules`}</h2>
          <div>
            <SideChoice
              compared={compared}
              label={t`Rules`}
              side={side}
              counts={counts}
              onChange={(next) => {
                setSide(next)
                setRule(null)
              }}
            />
          </div>
        </div>
        {rows.length === 0 ? (
          <EmptyState title={t`No rule here`}>
            <p>{t`Choose one of the other two views.`}</p>
          </EmptyState>
        ) : (
          <DataTable
            caption={`${t`Rules`}: ${names[side]}`}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.rule}
            selectedKey={rule ?? undefined}
          />
        )}
      </section>
      <section className={layout.card} aria-labelledby="compared-issues">
        <div className={`${layout.pad} ${layout.tight}`}>
          <h2 id="compared-issues" ref={heading} tabIndex={-1}>
            {t`Issues`}: {names[side]}
          </h2>
          {rule !== null && (
            <div className={layout.row}>
              <FilterChips
                chips={[{ key: rule, label: t`Rule: ${rule}`, onRemove: () => showAll() }]}
                onClear={() => showAll()}
              />
            </div>
          )}
        </div>
        <ComparedIssues key={`${side} ${rule}`} runs={runs} side={side} rule={rule} />
      </section>
    </>
  )
  function showAll(): void {
    setRule(null)
    heading.current?.focus()
  }
}

/** The pages that were tested in one run, in the other, or in both. */
function Pages({ compared, scanId }: { compared: Comparison; scanId: ScanId }) {
  const { t } = useLingui()
  const [side, setSide] = useState<ComparedSide>(() => firstWith(compared.pages))
  const runs = { scanId, run: compared.run.number, other: compared.other.number }
  return (
    <section className={layout.card} aria-labelledby="compared-pages">
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id="compared-pages">{t`Pages`}</h2>
        <div>
          <SideChoice
            compared={compared}
            label={t`Pages`}
            side={side}
            counts={compared.pages}
            onChange={setSide}
          />
        </div>
      </div>
      <ComparedPages key={side} runs={runs} side={side} />
    </section>
  )
}

function useRuleColumns(
  names: Record<ComparedSide, string>,
  onChoose: (rule: string) => void,
): Column<RuleRow>[] {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const column = (key: ComparedSide): Column<RuleRow> => ({
    key,
    heading: names[key],
    isNumeric: true,
    renderCell: (row) => number(row[key]),
  })
  return [
    {
      key: 'rule',
      heading: t`Rule`,
      isRowHeading: true,
      renderCell: ({ rule, help }) => (
        <a
          href="#compared-issues"
          onClick={(event) => {
            event.preventDefault()
            onChoose(rule)
          }}
        >
          <RuleTitle rule={rule} help={help} />
        </a>
      ),
    },
    column('onlyHere'),
    column('both'),
    column('onlyThere'),
  ]
}
