/** Detection of unchanged pages, the source of their findings, and later verifications. */
export const reuseTables: readonly string[] = [
  // Null: the next run analyzes the page in any case.
  `alter table page add column fingerprint text`,
  // The number of the run that analyzed the page; null for the current one.
  `alter table page add column carried_from int`,
  `alter table run add column carried int not null default 0`,
  `alter table run add column audited int not null default 0`,
  // The first unchanged page that had other findings nevertheless.
  `alter table run add column reuse_fault text`,
  // The number of that run; reset to null when the scan is saved.
  `alter table scan add column reuse_stopped_in int`,
]
