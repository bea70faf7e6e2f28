import { type Kysely, sql } from 'kysely'
import { createId } from '../../packages/server/src/kit/id.ts'
import type { MonitorDb } from '../../packages/server/src/monitor/database.ts'
import { countForLists } from '../../packages/server/src/monitor/issue/recount/store.ts'

/** Size of the database: `issues` for each scan, in each of its runs. */
export type Size = { scans: number; runs: number; pages: number; issues: number }

const rules = [
  ['color-contrast', 'serious', 1, 'Elements must meet minimum color contrast ratio thresholds'],
  ['image-alt', 'critical', 0, 'Images must have alternative text'],
  ['link-name', 'serious', 1, 'Links must have discernible text'],
  ['button-name', 'critical', 0, 'Buttons must have discernible text'],
  ['label', 'critical', 0, 'Form elements must have labels'],
  ['heading-order', 'moderate', 2, 'Heading levels should only increase by one'],
  ['region', 'moderate', 2, 'All page content should be contained by landmarks'],
  ['landmark-one-main', 'moderate', 2, 'Document should have one main landmark'],
  ['list', 'serious', 1, 'Lists must only directly contain list items'],
  ['duplicate-id-aria', 'critical', 0, 'IDs used in ARIA must be unique'],
  ['meta-viewport', 'minor', 3, 'Zooming must not be disabled'],
  ['aria-allowed-role', 'minor', 3, 'ARIA role should be appropriate for the element'],
  ['color-contrast-review', 'serious', 4, 'Contrast could not be decided'],
] as const

/** Drops the indexes of the big tables while rows are written, and creates them again. */
async function withDroppedIndexes<T>(db: Kysely<T>, work: () => Promise<void>): Promise<void> {
  const { rows: indexRows } = await sql<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relname in ('finding_span', 'finding_open', 'finding_past', 'page') and not i.indisprimary and not i.indisunique
      -- Indexes of both partitions belong to that of the whole.
      and not exists (select from pg_inherits where inhrelid = i.indexrelid)
      and c.relnamespace = 'monitor'::regnamespace`.execute(db)
  for (const { name } of indexRows) await sql.raw(`drop index ${name}`).execute(db)
  await work()
  // The definition of a partitioned index leaves out its partitions.
  for (const { definition } of indexRows) await sql.raw(definition.replace(' ON ONLY ', ' ON ')).execute(db)
}

const buildSeverityRows = () => sql.join(rules.map(([name, , severity]) => sql`(${name}, ${sql.lit(severity)})`))

/** Every run changes one issue in this many; all others stay as they are. */
const unchangedShare = 50

/** Writes every issue in every run, as one span for each stretch of runs in which it stays as it is. */
async function insertFindings<T>(db: Kysely<T>, scan: string, runCount: number): Promise<void> {
  await sql`
    insert into finding_span (issue_id, scan_id, page_key, group_id, first_run, until_run, rule_id, severity, impact, change, evidence)
    select i.id, ${scan}, i.page_key, i.group_id, stretch.first_run,
      coalesce(lead(stretch.first_run) over (partition by i.id order by stretch.first_run) - 1, 2147483647),
      rule.id, s.severity, least(s.severity, 3), case stretch.first_run when 1 then 0 else 1 end,
      decode(md5(${scan} || i.number), 'hex')
    from (select issue.*, (regexp_match(element_key, '(\\d+)'))[1]::int as number from issue where scan_id = ${scan}) i
    join rule on rule.name = i.rule
    join (values ${buildSeverityRows()}) s (rule, severity) on s.rule = i.rule
    cross join lateral (select run as first_run from generate_series(1, ${runCount}::int) run
      where run = 1 or (i.number + run) % ${unchangedShare}::int = 0) stretch`.execute(db)
  await sql`insert into status_span (scan_id, issue_id, first_run, status)
    select scan_id, id, 1, status from issue where scan_id = ${scan} and status <> 1 order by id`.execute(db)
}

async function insertScan<T>(db: Kysely<T>, number: number, size: Size): Promise<void> {
  const scan = createId()
  const settings = { name: `Scan ${number}`, urls: [`https://site${number}.example/`], ruleSet }
  const began = Date.now() - size.runs * 86_400_000
  const runs = Array.from({ length: size.runs }, (_, n) => ({
    id: createId(began + n * 86_400_000),
    number: n + 1,
    at: new Date(began + n * 86_400_000).toISOString(),
  }))
  await sql`insert into scan (id, name, type, urls, priority, settings, owner_id, run_count)
    values (${scan}, ${settings.name}, 'standard', ${settings.urls}, 1, ${JSON.stringify(settings)},
      ${`owner${number % 20}`}, ${size.runs})`.execute(db)
  await sql`insert into scan_access (id, scan_id, person_id, role)
    values (${createId()}, ${scan}, ${`owner${number % 20}`}, 'scanAdmin')`.execute(db)
  await sql`insert into run (id, scan_id, number, status, judged, priority, queued_at, started_at, ended_at)
    select id, ${scan}, number, 'completed', true, 1, at, at, at + interval '10 minutes'
    from jsonb_to_recordset(${JSON.stringify(runs)}::jsonb) as r (id uuid, number int, at timestamptz)`.execute(db)
  await sql`insert into run_plan (run_id, scan_name, settings, rule_set_hash, axe_release)
    select id, ${settings.name}, ${JSON.stringify(settings)}::jsonb, 'a', '4.14.1' from run where scan_id = ${scan}`.execute(db)
  await sql`insert into issue_group (id, scan_id, pattern_hash, rule)
    select new_id(), ${scan}, decode(md5('g' || n), 'hex'), (array[${sql.join(rules.map(([name]) => sql`${name}`))}])[1 + n % ${rules.length}]
    from generate_series(0, ${Math.max(1, Math.floor(size.issues / 8))}::int - 1) n`.execute(db)
  await sql`insert into evidence (hash, scan_id, selector, target, html, fix)
    select decode(md5(${scan} || n), 'hex'), ${scan}, 'main > div:nth-child(' || n || ') > p.text', '["p"]',
      '<p class="text text--pale">Some words that stand on page ' || n || '</p>',
      '{"any":["Element has insufficient color contrast of 2.5"],"all":[],"none":[]}'
    from generate_series(0, ${size.issues}::int - 1) n`.execute(db)
  await sql`insert into issue (id, scan_id, identity_hash, group_id, page_key, rule, element_key, first_run, last_run,
      first_seen_at, last_seen_at, status, labels, assigned_to, severity)
    select new_id(), ${scan}, decode(md5('i' || n), 'hex'), g.id, decode(md5('p' || n % ${size.pages}::int), 'hex'), g.rule,
      'main()>div:' || n || '>p:1|||', 1, ${size.runs}::int, now() - interval '20 days', now(),
      case when n % 50 = 0 then 3 else 1 end, case when n % 40 = 0 then array['brand'] else '{}' end,
      case when n % 60 = 0 then 'owner1' end,
      (select s.severity from (values ${buildSeverityRows()}) s (rule, severity) where s.rule = g.rule)
    from generate_series(0, ${size.issues}::int - 1) n
    join issue_group g on g.scan_id = ${scan}
      and g.pattern_hash = decode(md5('g' || n / 8), 'hex')`.execute(db)
  await sql`insert into page_version (scan_id, hash, url, final_url, title, http_status, mime_type, depth)
    select ${scan}, decode(md5('p' || n), 'hex'), ${`https://site${number}.example/section/`} || n,
      ${`https://site${number}.example/section/`} || n, 'Page ' || n, 200, 'text/html', n % 5
    from generate_series(0, ${size.pages}::int - 1) n`.execute(db)
  await sql`insert into run_page (id, run_id, version_id, key_hash, status, health, attempts, duration_ms, analysed_at)
    select new_id(), run.id, v.id, v.hash, 'completed', 3, 1, 800, run.ended_at
    from run cross join page_version v where run.scan_id = ${scan} and v.scan_id = ${scan}`.execute(db)
  await insertFindings(db, scan, size.runs)
}

const ruleSet = { axeVersion: '4.14', standard: 'wcag22aa', bestPractices: true, experimental: false }

const buildSeverityCount = (n: number) => `count(*) filter (where f.severity = ${n} and f.status = 1)::int`

/** Updates counts on pages and runs, as the product maintains them. */
async function updateCounts<T>(db: Kysely<T>): Promise<void> {
  const sums = [0, 1, 2, 3, 4].map((n) => `${buildSeverityCount(n)} as s${n}`).join(', ')
  await sql
    .raw(
      `update run_page page set critical = s0, serious = s1, moderate = s2, minor = s3, needs_review = s4,
        health = case when s0 > 0 then 0 when s1 > 0 then 1 when s2 > 0 then 2 else 3 end
      from (select page_id, ${sums} from finding f group by page_id) t where t.page_id = page.id`,
    )
    .execute(db)
  await sql
    .raw(
      `update run set critical = t.c, serious = t.s, moderate = t.m, minor = t.n, needs_review = t.r, completed = t.pages,
        found = t.pages, unique_pages = t.pages, health_critical = h0, health_serious = h1, health_moderate = h2,
        health_good = h3, total_issues = c + s + m + n + r,
        score = round((h1 * 0.4 + h2 * 0.8 + h3) / nullif(t.pages, 0), 4)
      from (select run_id, count(*)::int as pages, sum(critical)::int as c, sum(serious)::int as s, sum(moderate)::int as m,
          sum(minor)::int as n, sum(needs_review)::int as r, count(*) filter (where health = 0)::int as h0,
          count(*) filter (where health = 1)::int as h1, count(*) filter (where health = 2)::int as h2,
          count(*) filter (where health = 3)::int as h3
        from page group by run_id) t where t.run_id = run.id`,
    )
    .execute(db)
  await sql
    .raw(
      `update scan set last_run_id = r.id, last_completed_run_id = r.id
      from (select distinct on (scan_id) scan_id, id from run order by scan_id, number desc) r where r.scan_id = scan.id`,
    )
    .execute(db)
  await countForLists(db as unknown as MonitorDb, sql`(select last_run_id as run_id from scan)`)
}

/** Fills an empty database of the product with scans, runs, pages and issues of that size. */
export async function fillDatabase<T>(db: Kysely<T>, size: Size, report: (message: string) => void): Promise<void> {
  for (const [name, , , help] of rules)
    await sql`insert into rule (hash, name, help, description, help_url, tags)
      values (decode(md5(${name}), 'hex'), ${name}, ${help}, ${help}, 'https://rules.example/', '{cat.color,wcag2aa,wcag143}')`.execute(
      db,
    )
  for (let n = 0; n < 20; n++)
    await sql`insert into person (id, username, first_name, last_name) values (${`owner${n}`}, ${`owner${n}`}, 'Olive', ${`Owner ${n}`})`.execute(
      db,
    )
  await withDroppedIndexes(db, async () => {
    for (let n = 0; n < size.scans; n++) {
      await db.connection().execute((connection) => insertScan(connection, n, size))
      // The planner must know the new size of the tables.
      if (n === 0 || n === 5 || n === 40)
        await sql.raw('analyze issue; analyze run_page; analyze page_version; analyze run; analyze evidence').execute(db)
      if ((n + 1) % 20 === 0) report(`${n + 1} scans`)
    }
    await updateCounts(db)
    report('counted; making indexes')
  })
  await sql.raw('vacuum analyze').execute(db)
}
