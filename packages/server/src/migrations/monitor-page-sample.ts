/** Canonical URL that a page declares. Unknown for older pages. */
export const pageCanonical: readonly string[] = [
  `alter table page add column canonical text`,
  // URLs may be longer than a key of an index.
  `create index page_duplicate on page (run_id, md5(leads_to)) where exclusion = 'duplicate'`,
]

/** Pages in place of joined ones, and the random share of a run, from which the error of its score is estimated. */
export const pageSample: readonly string[] = [
  `alter table run add column extra_pages integer not null default 0, add column sample_pages integer[]`,
  `alter table frontier add column is_random boolean not null default false`,
  `alter table run_page add column is_random boolean`,
]
