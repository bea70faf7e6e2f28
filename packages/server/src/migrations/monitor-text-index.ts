/**
 * Indexes for parts of URLs, titles and selectors: some 30 s for a million of them. The extension belongs to PostgreSQL and needs no
 * superuser, but it may not be installed, or the role may not create it. Texts are then searched without an index: the same
 * results, later.
 */
export const textIndexes: readonly string[] = [
  `do $$
    declare
      place text;
    begin
      create extension if not exists pg_trgm;
      select n.nspname into place from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
      execute format('create index page_version_text on page_version using gin (url %1$I.gin_trgm_ops, title %1$I.gin_trgm_ops)', place);
      execute format('create index evidence_text on evidence using gin (selector %1$I.gin_trgm_ops)', place);
    exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
      raise warning 'Texts are searched without an index: %', sqlerrm;
    end $$`,
]
