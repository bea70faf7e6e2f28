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
