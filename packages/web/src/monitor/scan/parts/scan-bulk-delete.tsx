import { Plural, useLingui } from '@lingui/react/macro'
import { plural } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../../kit/field.tsx'
import layout from '../../../kit/layout.module.css'
import { useSession } from '../../user/model.ts'
import { selectedScansQuery, useBulkScans } from '../queries-bulk.ts'
import type { BulkProps } from './scan-bulk-frame.tsx'
import { BulkFrame, useTold } from './scan-bulk-frame.tsx'

/** Deletes the ticked scans once their number was typed; one alone by its name. */
export function BulkDeleteDialog({ body, onClose, onDone }: BulkProps) {
  const { t } = useLingui()
  const { api } = useSession()
  const { remove } = useBulkScans()
  const tell = useTold({ onClose, onDone })
  const { data } = useQuery(selectedScansQuery(api, body))
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const count = data?.count ?? 0
  // One scan is deleted by its name, several by their number.
  const only = count === 1 ? data?.scans[0]?.name : undefined
  const wanted = only ?? String(count)
  const submit = () => {
    if (!data || typed.trim() !== wanted.trim()) return setWrong(true)
    remove.mutate(body, {
      onSuccess: (result) =>
        tell(t`${plural(result.changed, { one: '# scan deleted.', other: '# scans deleted.' })}`, result),
    })
  }
  return (
    <BulkFrame
      body={body}
      onClose={onClose}
      title={t`Delete scans`}
      submit={t`Delete`}
      danger
      pending={remove.isPending}
      failure={remove.error}
      failed={t`The scans could not be deleted.`}
      onSubmit={submit}
    >
      <p>{t`Their runs, pages and issues go with them. This cannot be undone.`}</p>
      <ul className={layout.tight}>
        {data?.scans.slice(0, 5).map(({ id, name }) => (
          <li key={id} className={layout.break}>
            {name}
          </li>
        ))}
      </ul>
      {count > 5 && <Plural value={count - 5} one="and # more" other="and # more" />}
      <Field
        label={only === undefined ? t`Type the number of scans: ${wanted}` : t`Type the name: ${wanted}`}
        error={
          wrong
            ? only === undefined
              ? t`This is not the number of scans.`
              : t`This is not the name.`
            : undefined
        }
      >
        {(control) => (
          <input
            {...control}
            autoFocus
            autoComplete="off"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setWrong(false)
            }}
          />
        )}
      </Field>
    </BulkFrame>
  )
}
