import { branchRuns } from './monitor-branch-run.ts'
import { sql } from 'kysely'
import { computeHash } from '../kit/hash.ts'
import { type Migrations, runStatements } from '../kit/database.ts'
import { auditTables } from './monitor-audit.ts'
import { administrationTables, sealedWebhookUrls } from './monitor-administration.ts'
import { pageButtons, previewTables, signInTry } from './monitor-preview.ts'
import { auditedDeletions } from './monitor-audit-deletion.ts'
import { auditedKeys } from './monitor-audit-key.ts'
import { auditedPages } from './monitor-audit-page.ts'
import { pageCanonical, pageSample } from './monitor-page-sample.ts'
import { quotaTables } from './monitor-quota.ts'
import { goalTables } from './monitor-goal.ts'
import { growthTables } from './monitor-growth.ts'
import { signedInColumns, signOutUrls, runSessions } from './monitor-signed-in.ts'
import { drivenColumns, drivingOffer } from './monitor-driven.ts'
import { draftTables } from './monitor-draft.ts'
import { reuseTables } from './monitor-reuse.ts'
import { recheckTables } from './monitor-recheck.ts'
import { recheckOrderTables } from './monitor-recheck-order.ts'
import { reviewTables } from './monitor-review.ts'
import { crawlTables, visitUrl } from './monitor-crawl.ts'
import { speedTables } from './monitor-speed.ts'
import { reviewAnswers } from './monitor-review-answer.ts'
import { findingTables, runRules, runTables } from './monitor-run.ts'
import { findingSpans } from './monitor-span.ts'
import { pageTemplates, pageVersions } from './monitor-page-version.ts'
import { ignoreUntil } from './monitor-ignore-until.ts'
import { ignoredIssueCounts } from './monitor-ignored.ts'
import { issueUpdates } from './monitor-issue-updated.ts'
import { statusMigrations } from './monitor-status-span.ts'
import { undoList, undoParts, undoTables } from './monitor-undo.ts'
import { viewTables } from './monitor-view.ts'

/** People, teams and access. Teams and their members are copied from the account service. */
const accessTableStatements = [
  `create table person (
    id text primary key,
    username text not null,
    first_name text not null,
    last_name text not null,
    email text,
    seen_at timestamptz not null default now()
  )`,
  `create table team (id text primary key, name text not null)`,
  `create table team_member (
    team_id text not null references team on delete cascade,
    person_id text not null,
    primary key (person_id, team_id)
  )`,
  `create table scan_group (id uuid primary key, name text not null, created_at timestamptz not null default now())`,
  `create unique index scan_group_name on scan_group (lower(name))`,
  `create table scan_group_admin (
    group_id uuid not null references scan_group on delete cascade,
    person_id text not null,
    primary key (person_id, group_id)
  )`,
  `create table system_setting (name text primary key, value jsonb not null)`,
]

const scanTableStatements = [
  `create table scan (
    id uuid primary key,
    name text not null,
    type text not null,
    urls text[] not null,
    priority smallint not null,
    settings jsonb not null,
    version int not null default 1,
    owner_id text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    run_count int not null default 0,
    last_run_id uuid,
    last_completed_run_id uuid
  )`,
  `create unique index scan_name on scan (lower(name)) where deleted_at is null`,
  `create index scan_owner on scan (owner_id)`,
  `create index scan_deleted on scan (deleted_at) where deleted_at is not null`,
  `create table scan_favorite (
    person_id text not null,
    scan_id uuid not null references scan on delete cascade,
    primary key (person_id, scan_id)
  )`,
  `create index scan_favorite_scan on scan_favorite (scan_id)`,
  `create table scan_group_scan (
    group_id uuid not null references scan_group on delete cascade,
    scan_id uuid not null references scan on delete cascade,
    primary key (scan_id, group_id)
  )`,
  // The receiver of a role (a team, or the creator) and its target (a scan, or a group of scans).
  `create table scan_access (
    id uuid primary key,
    scan_id uuid references scan on delete cascade,
    group_id uuid references scan_group on delete cascade,
    team_id text references team on delete cascade,
    person_id text,
    role text not null check (role in ('scanAdmin', 'scanMember', 'scanViewer')),
    check (num_nonnulls(scan_id, group_id) = 1),
    check (num_nonnulls(team_id, person_id) = 1)
  )`,
  `create unique index scan_access_one on scan_access
    (coalesce(scan_id, group_id), coalesce(team_id, person_id))`,
  `create index scan_access_scan on scan_access (scan_id)`,
  `create index scan_access_group on scan_access (group_id)`,
  `create index scan_access_team on scan_access (team_id)`,
  `create index scan_access_person on scan_access (person_id)`,
]

/** Creates UUIDv7 for rows of bulk statements; PostgreSQL 15 has no such function. */
const createIdFunction = `create function new_id() returns uuid language sql volatile as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$`

/** Schema of the monitor service. Meaning, keys and growth of each table: docs/DATA-MODEL.md. */
export const monitorMigrations: Migrations = {
  '0001-foundation': runStatements([
    createIdFunction,
    ...accessTableStatements,
    ...scanTableStatements,
    ...runTables,
    ...findingTables,
  ]),
  '0002-administration': runStatements(administrationTables),
  '0003-review': runStatements(reviewTables),
  '0004-crawl': runStatements(crawlTables),
  '0005-recheck': runStatements(recheckTables),
  '0006-speed': runStatements(speedTables),
  '0007-views': {
    async up(db) {
      await sql`alter table page add column views bytea[] not null default '{}'`.execute(db)
    },
  },
  '0008-role': {
    async up(db) {
      await sql`alter table person add column role text not null default 'outsider'`.execute(db)
      await sql`update person set role = case when is_admin then 'admin' when has_access then 'user' else role end`.execute(db)
      await sql`alter table person drop column is_admin, drop column has_access`.execute(db)
    },
  },
  '0009-pdf-ua-fingerprint': {
    // Adds PDF/UA to rule set fingerprints. Existing runs with PDF/UA must stay comparable with new ones.
    async up(db) {
      const hasPdfUa = sql`settings #>> '{ruleSet,pdfUa}' = 'true'`
      const { rows: ruleSetRows } = await sql<{
        rules: Record<string, unknown>
        release: string
        hash: string
      }>`
        select distinct settings -> 'ruleSet' as rules, axe_release as release, rule_set_hash as hash
        from run_plan where ${hasPdfUa}`.execute(db)
      for (const { rules: ruleSet, release: axeRelease, hash: previousHash } of ruleSetRows) {
        const { standard, bestPractices, experimental } = ruleSet
        const hashParts = [axeRelease, standard, bestPractices, experimental, 'pdf-ua'].map(String)
        await sql`update run_plan set rule_set_hash = ${computeHash(...hashParts).toString('hex')}
          where rule_set_hash = ${previousHash} and ${hasPdfUa}`.execute(db)
      }
    },
  },
  '0010-stale-teams': {
    async up(db) {
      await sql`alter table team add column stale_since timestamptz`.execute(db)
    },
  },
  '0011-preview': runStatements(previewTables),
  '0012-worker-began': {
    async up(db) {
      await sql`alter table worker add column began text not null default ''`.execute(db)
    },
  },
  '0013-secret-key': {
    async up(db) {
      await sql`create table secret_key (
        id boolean primary key default true check (id),
        fingerprint text not null,
        since timestamptz not null default now()
      )`.execute(db)
    },
  },
  '0014-quota': runStatements(quotaTables),
  '0015-suspect': {
    // Marks pages that were in progress when a worker was lost: they are retried alone.
    async up(db) {
      await sql`create index frontier_suspect on frontier (run_id) where state = 0 and losses > 0`.execute(db)
    },
  },
  '0016-audit': runStatements(auditTables),
  '0017-deactivated': {
    // Deactivated and deleted accounts get no mail.
    async up(db) {
      await sql`alter table person add column deactivated_at timestamptz`.execute(db)
    },
  },
  '0018-reuse': runStatements(reuseTables),
  '0019-edited-comments': {
    async up(db) {
      await sql`alter table issue_comment add column edited_at timestamptz`.execute(db)
    },
  },
  '0020-nameless-audit': {
    // The audit log names people by id. A name could not be removed later without breaking the hash chain.
    async up(db) {
      await sql`create or replace trigger audit_person after insert or update or delete on person
        for each row execute function audit_row('person', 'id', '',
          '{seen_at,language,email,first_name,last_name,username}', '')`.execute(db)
    },
  },
  '0021-former-members': {
    // People without an account have no name. Their label depends on the reader's language.
    async up(db) {
      await sql`update person set username = '' where username = 'Former member' and first_name = '' and last_name = ''
        and email is null and deactivated_at is not null`.execute(db)
    },
  },
  '0022-ticket': {
    async up(db) {
      await sql`alter table issue add column ticket_url text`.execute(db)
    },
  },
  '0023-scan-tags': {
    async up(db) {
      await sql`alter table scan add column tags text[] not null default '{}'`.execute(db)
    },
  },
  '0024-objects': {
    // Bytes may be in an object store; the row names the store and the object.
    async up(db) {
      await sql`alter table blob alter column bytes drop not null, add column store smallint, add column object uuid,
        add constraint blob_place check ((bytes is null) = (store is not null and object is not null))`.execute(db)
      await sql`create table object_store (store smallint primary key, mark uuid not null, swept_at timestamptz)`.execute(db)
    },
  },
  // The values before a person's latest bulk change, for undo; one per person.
  '0025-undo': runStatements(undoTables),
  '0026-recheck-order': runStatements(recheckOrderTables),
  '0027-trace': {
    // The call that started a run, so that its pages join the same trace.
    async up(db) {
      await sql`alter table run_plan add column trace text`.execute(db)
    },
  },
  '0028-inbox': {
    // Inbox entries. An entry is deleted with its subject, so that no link is dead.
    async up(db) {
      await sql`alter table issue_comment add column mentions text[] not null default '{}'`.execute(db)
      await sql`create table inbox_entry (
        id uuid primary key,
        person_id text not null,
        kind smallint not null,
        scan_id uuid not null references scan on delete cascade,
        issue_id uuid references issue on delete cascade,
        comment_id uuid references issue_comment on delete cascade,
        run_number int,
        issues int not null default 1,
        actor_id text,
        undo_id uuid,
        at timestamptz not null default now(),
        read_at timestamptz
      )`.execute(db)
      for (const [indexName, indexColumns] of [
        ['person', '(person_id, id)'],
        ['unread', '(person_id) where read_at is null'],
        ['scan', '(scan_id, kind)'],
        ['issue', '(issue_id) where issue_id is not null'],
        ['comment', '(comment_id) where comment_id is not null'],
        ['undo', '(undo_id) where undo_id is not null'],
        ['at', '(at)'],
      ])
        await sql.raw(`create index inbox_entry_${indexName} on inbox_entry ${indexColumns}`).execute(db)
    },
  },
  '0029-assigned-on-scan': {
    // Supports a check per inbox entry: whether the person has issues of a scan.
    async up(db) {
      await sql`drop index issue_assigned`.execute(db)
      await sql`create index issue_assigned on issue (assigned_to, scan_id) where assigned_to is not null`.execute(db)
    },
  },
  '0030-reach': {
    // A worker can be asked to probe a URL.
    async up(db) {
      await sql`alter table preview_task drop constraint preview_task_kind_check`.execute(db)
      await sql`alter table preview_task add constraint preview_task_kind_check
        check (kind in ('preview', 'test', 'reach', 'dry-run', 'keystore'))`.execute(db)
    },
  },
  '0031-view': runStatements(viewTables),
  '0032-mention-mails': {
    // A person mentioned in a comment gets one mail, unless they opted out or the comment was deleted.
    async up(db) {
      await sql`alter table person add column mention_mails boolean not null default true`.execute(db)
      await sql`alter table delivery add column comment_id uuid references issue_comment on delete cascade`.execute(db)
      await sql`create unique index delivery_comment on delivery (comment_id, receiver)
        where comment_id is not null`.execute(db)
    },
  },
  '0033-default-view': {
    // The default view of a screen per person. Its name outlives the view, so that the person can be told.
    async up(db) {
      await sql`create table default_view (
        person_id text not null,
        screen text not null,
        view_id uuid references view on delete set null,
        name text not null,
        primary key (person_id, screen)
      )`.execute(db)
      await sql`create index default_view_view on default_view (view_id) where view_id is not null`.execute(db)
    },
  },
  '0034-page-link-key': {
    // The page that a link is on, found by its key; unknown for older links.
    async up(db) {
      await sql`alter table page_link add column key_hash bytea`.execute(db)
    },
  },
  '0035-scan-draft': runStatements(draftTables),
  '0036-page-evidence': {
    // Evidence of the content that a visit saw, and pages of a run whose content it did not see. Unknown for older runs.
    async up(db) {
      await sql`alter table page add column evidence jsonb`.execute(db)
      await sql`alter table run add column walled integer not null default 0, add column unconfirmed jsonb`.execute(db)
    },
  },
  '0037-page-not-rechecked': {
    // Issues of a page that the run neither found nor proved fixed. 0 for older runs.
    async up(db) {
      await sql`alter table page add column not_rechecked integer not null default 0`.execute(db)
    },
  },
  '0038-audit-seal': {
    // The end of the audit log, sealed with the secret key. The server seals existing logs when it starts.
    async up(db) {
      await sql`alter table audit_chain add column seal bytea`.execute(db)
    },
  },
  '0039-page-signed-in': runStatements(signedInColumns),
  '0040-run-components': {
    // Common components that the pages of a run have, by name. Unknown for older runs.
    async up(db) {
      await sql`alter table run add column components text[]`.execute(db)
      await sql`alter table run alter column components set default '{}'`.execute(db)
    },
  },
  '0041-undo-parts': runStatements(undoParts),
  '0042-undo-list': runStatements(undoList),
  '0043-sign-in-try': runStatements(signInTry),
  '0044-webhook-url': runStatements(sealedWebhookUrls),
  '0045-issue-updated': runStatements(issueUpdates),
  '0046-page-requests': {
    // Requests that a page sent while it was visited. Unknown for older pages.
    async up(db) {
      await sql`alter table page add column requests jsonb`.execute(db)
    },
  },
  '0047-run-over-limit': {
    // Known URLs that the page limit left out, which counted as excluded before.
    async up(db) {
      await sql`alter table run add column over_limit integer not null default 0`.execute(db)
      await sql`update run set over_limit = t.over, excluded = excluded - t.over
        from (select run_id, count(*)::int as over from page where exclusion = 'over-limit' group by run_id) t
        where run.id = t.run_id and run.ended_at is not null`.execute(db)
    },
  },
  '0048-run-ignored': runStatements(ignoredIssueCounts),
  '0049-growth': runStatements(growthTables),
  '0050-review-answers': runStatements(reviewAnswers),
  '0051-frontier-bucket': runStatements([
    // The representative order: groups of waiting URLs, and what visits brought. Both are unknown in other orders.
    `alter table frontier add column bucket text, add column rank smallint not null default 0, add column visit jsonb`,
    `create index frontier_pool on frontier (run_id, bucket, rank, key_hash)
      where state = 0 and place is null and bucket is not null`,
    `create index frontier_visit on frontier (run_id, wave, place) where state = 2 and visit is not null`,
  ]),
  // Equal for pages with the same content. Unknown for older pages, each of which counts as different.
  '0052-page-content-key': runStatements([`alter table page add column content_key text`]),
  '0053-driven': runStatements(drivenColumns),
  '0054-page-buttons': runStatements(pageButtons),
  '0055-ignore-until': runStatements(ignoreUntil),
  '0056-scan-sign-outs': runStatements(signOutUrls),
  '0057-run-session': runStatements(runSessions),
  '0058-audit-deletions': runStatements(auditedDeletions),
  '0059-page-canonical': runStatements(pageCanonical),
  '0060-branch-runs': runStatements(branchRuns),
  '0061-run-rules': runStatements(runRules),
  '0062-goals': runStatements(goalTables),
  '0063-finding-spans': findingSpans,
  '0064-page-versions': pageVersions,
  '0065-audit-keys': runStatements(auditedKeys),
  '0066-driving-offer': runStatements(drivingOffer),
  '0067-audit-pages': runStatements(auditedPages),
  '0068-page-sample': runStatements(pageSample),
  '0069-visit-url': runStatements(visitUrl),
  ...statusMigrations,
  '0072-page-template': runStatements(pageTemplates),
}
