/** State shared by the processes of a crawl: host pacing, links, and exclusion reasons. */
export const crawlTables: readonly string[] = [
  `alter table frontier
    add column host text not null default '',
    add column chain smallint not null default 0,
    add column detail text`,
  // No request to the host before next_at; gap_ms separates two requests.
  `create table host_pace (
    run_id uuid not null references run on delete cascade,
    host text not null,
    next_at timestamptz not null default now(),
    gap_ms int not null default 0,
    primary key (run_id, host)
  )`,
  // One row per page with links. targets: the first eight bytes of the hashes of their keys.
  `create table page_link (
    run_id uuid not null references run on delete cascade,
    id bigint generated always as identity,
    url text not null,
    targets bigint[] not null,
    primary key (run_id, id)
  )`,
  `alter table run add column pdfs int not null default 0`,
]

/** URL to open where it differs from the one to show. Rows live only as long as the run. */
export const visitUrl: readonly string[] = [`alter table frontier add column visit_url text`]
