import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestApi } from './api.ts'

const api = useTestApi()

// Without an index, the deletion of a row reads the whole table that may refer to it.
test('every foreign key has an index that begins with its columns', async () => {
  const { rows } = await sql<{ key: string }>`
    select format('%s (%s)', c.conrelid::regclass, string_agg(a.attname, ', ' order by k.place)) as key
    from pg_constraint c
      join unnest(c.conkey) with ordinality k (number, place) on true
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
    where c.contype = 'f'
      and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indisvalid
        -- A partial index may leave out null alone, which refers to nothing.
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname))
        and (i.indkey::int2[])[0:array_length(c.conkey, 1) - 1] @> c.conkey)
    group by c.oid, c.conrelid order by 1`.execute(api.db)
  expect(rows.map(({ key }) => key)).toEqual([])
})

// The default waits for changes of a fifth of the rows. Until then, lists that read an index alone read the table, too.
test('tables that grow with runs and decisions are vacuumed before a fiftieth of them has changed', async () => {
  const { rows } = await sql<{ name: string; scale: number | null }>`
    select c.relname as name, (select option_value::float8 from pg_options_to_table(c.reloptions)
      where option_name = 'autovacuum_vacuum_scale_factor') as scale
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'monitor'::regnamespace
      and c.relname = any(${['finding_open', 'finding_past', 'status_span', 'issue', 'run_page', 'page_version', 'evidence']}::text[])`.execute(
    api.db,
  )
  expect(rows).toHaveLength(7)
  expect(rows.filter(({ scale }) => scale === null || scale > 0.02).map(({ name }) => name)).toEqual([])
})
