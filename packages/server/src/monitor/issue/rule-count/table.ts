import { type RawBuilder, sql } from 'kysely'
import { isOpenAmongMany, storedLiterals } from '../table.ts'

// Open findings of a run by rule, severity and drive, which each ended run carries: lists and roll-ups over all scans add them up.

/**
 * Counts open findings (run_id, rule_id, page_key, severity, drive_level) by these columns without the page. The first row of the
 * rules of a name has their number of pages; the others have zero.
 * @returns a table expression (run_id, rule_id, severity, drive_level, issues, issue_pages, pages); without needs-review results,
 *   `issue_pages`
 */
export const countByRule = (openFindings: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  with named as materialized (
    select f.run_id, f.page_key, f.rule_id, f.severity, case when f.drive_level is not null then 0 end as drive_level, rule.name_id
    from ${openFindings} f join (select id, max(id) over (partition by name) as name_id from rule) rule on rule.id = f.rule_id),
  -- Materialized: a planner that expects few rows would otherwise count again for each of them.
  page_count as materialized (
    select run_id, name_id, count(*) filter (where has_issue)::int as issue_pages, count(*)::int as pages
    from (select run_id, name_id, page_key, bool_or(severity < ${storedLiterals.severity.review}) as has_issue
      from named group by 1, 2, 3) page_of_rule
    group by 1, 2)
  select c.run_id, c.rule_id, c.severity, c.drive_level, c.issues,
    case when c.place = 1 then p.issue_pages else 0 end as issue_pages, case when c.place = 1 then p.pages else 0 end as pages
  from (select run_id, name_id, rule_id, severity, drive_level, count(*)::int as issues,
      row_number() over (partition by run_id, name_id order by rule_id desc, severity, drive_level) as place
    from named group by 1, 2, 3, 4, 5) c
  -- Each row has a partner. A full join is never one of loops, which a planner that expects few rows would choose.
  full join page_count p on p.run_id = c.run_id and p.name_id = c.name_id)`

/** The stored form of a row `c` of `countByRule`, as the element of an array. */
export const storedRuleCount = sql`array[c.rule_id, c.severity, coalesce(c.drive_level, -1), c.issues, c.issue_pages, c.pages]::int[]`

/**
 * The counts of runs, given as (run_id), in the form of `countByRule`. Runs in progress, and old ones, carry none: their findings
 * are counted.
 */
export const selectRuleCounts = (runs: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select run.id as run_id, run.open_rules[n][1] as rule_id, run.open_rules[n][2] as severity, nullif(run.open_rules[n][3], -1) as drive_level,
    run.open_rules[n][4] as issues, run.open_rules[n][5] as issue_pages, run.open_rules[n][6] as pages
  from ${runs} r join run on run.id = r.run_id cross join lateral generate_subscripts(run.open_rules, 1) n
  union all
  select * from ${countByRule(sql`(select f.run_id, f.rule_id, f.page_key, f.severity, f.drive_level
    from ${runs} r join run on run.id = r.run_id and run.open_rules is null join finding f on f.run_id = run.id
    where ${isOpenAmongMany('f')})`)} uncounted)`
