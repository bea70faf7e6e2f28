/** What recognises an unchanged page, where its findings are from, and what came of looking after that. */
export const reuseTables: readonly string[] = [
  // Null: analysed in any case by the next run.
  `alter table page add column fingerprint text`,
  // The number of the run in which it was analysed; null: this one.
  `alter table page add column carried_from int`,
  `alter table run add column carried int not null default 0`,
  `alter table run add column audited int not null default 0`,
  // The first page that was unchanged, and had other findings all the same.
  `alter table run add column reuse_fault text`,
  // The number of that run; null again when somebody saves the scan.
  `alter table scan add column reuse_stopped_in int`,
]
