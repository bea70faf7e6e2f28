/** The values before a person's latest bulk change, for undo; one per person. */
export const undoTables: readonly string[] = [
  `create table issue_undo (
        id uuid primary key,
        author_id text not null unique,
        rank smallint not null,
        ignores uuid[] not null,
        before jsonb not null,
        made_at timestamptz not null default now()
      )`,
]

/** Every bulk change of the last day can be undone, in parts of bounded size. */
export const undoParts: readonly string[] = [
  `create table issue_undo_part (
    undo_id uuid not null references issue_undo on delete cascade,
    part int not null,
    before jsonb not null,
    primary key (undo_id, part)
  )`,
  `insert into issue_undo_part (undo_id, part, before) select id, 0, before from issue_undo`,
  `alter table issue_undo add column issues int not null default 0, drop constraint issue_undo_author_id_key`,
  `update issue_undo set issues = jsonb_array_length(before)`,
  `alter table issue_undo drop column before`,
  `create index issue_undo_author on issue_undo (author_id, made_at)`,
]

/** A list of a person's bulk changes, and the undo of a change in batches. */
export const undoList: readonly string[] = [
  `alter table issue_undo add column fields text[] not null default '{}', add column status text,
    add column scans uuid[] not null default '{}'`,
  `alter table issue_undo_part add column restored_at timestamptz`,
]
