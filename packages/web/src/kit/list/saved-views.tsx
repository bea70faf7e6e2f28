import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from '../dialog/dialog.tsx'
import { FormDialog } from '../dialog/form-dialog.tsx'
import { Field } from '../form/field.tsx'
import layout from '../page/layout.module.css'
import type { MenuGroup } from '../menu/groups.ts'
import { MenuButton } from '../menu/menu.tsx'
import { readStored, writeStored } from '../client/storage.ts'

type View = { name: string; search: unknown }

function readViews(key: string): View[] {
  try {
    const found: unknown = JSON.parse(readStored(key) ?? '[]')
    return Array.isArray(found) ? (found as View[]).filter(({ name }) => typeof name === 'string') : []
  } catch {
    return []
  }
}

type Props = {
  /** Names the list and the person: each has views of his own, in this browser. */
  list: string
  /** What is set now. */
  current: unknown
  onOpen: (search: unknown) => void
}

/** Filters, order and columns under a name, to come back to. */
export function SavedViews({ list, current, onOpen }: Props) {
  const { t } = useLingui()
  const key = `views.${list}`
  const [views, setViews] = useState(() => readViews(key))
  const [open, setOpen] = useState<'save' | 'manage' | null>(null)
  const keep = (next: View[]) => {
    setViews(next)
    writeStored(key, JSON.stringify(next))
  }
  const entry = (id: string, text: string, onAction: () => void) => ({ id, text, label: text, onAction })
  const groups: MenuGroup[] = [
    ...(views.length > 0
      ? [
          {
            id: 'views',
            entries: views.map(({ name, search }) => entry(`view ${name}`, name, () => onOpen(search))),
          },
        ]
      : []),
    {
      id: 'own',
      entries: [
        entry('save', t`Save this view…`, () => setOpen('save')),
        ...(views.length > 0 ? [entry('manage', t`Delete views…`, () => setOpen('manage'))] : []),
      ],
    },
  ]
  return (
    <>
      <MenuButton label={t`Saved views`} button={{ small: true, iconEnd: 'down' }} groups={groups}>
        {t`Saved views`}
      </MenuButton>
      {open === 'save' && (
        <SaveDialog
          onClose={() => setOpen(null)}
          onSave={(name) => {
            keep([...views.filter((view) => view.name !== name), { name, search: current }])
            setOpen(null)
          }}
        />
      )}
      {open === 'manage' && (
        <Dialog title={t`Delete views`} onClose={() => setOpen(null)}>
          <ul className={layout.tight}>
            {views.map(({ name }) => (
              <li key={name} className={layout.row}>
                <span className={`${layout.grow} ${layout.break}`}>{name}</span>
                <Button
                  small
                  label={t`Delete view: ${name}`}
                  onPress={() => keep(views.filter((view) => view.name !== name))}
                >{t`Delete`}</Button>
              </li>
            ))}
          </ul>
          <DialogActions>
            <Button kind="primary" autoFocus onPress={() => setOpen(null)}>{t`Close`}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

function SaveDialog({ onSave, onClose }: { onSave: (name: string) => void; onClose: () => void }) {
  const { t } = useLingui()
  const [name, setName] = useState('')
  const [empty, setEmpty] = useState(false)
  return (
    <FormDialog
      title={t`Save this view`}
      submit={t`Save`}
      onSend={() => (name.trim() === '' ? setEmpty(true) : onSave(name.trim()))}
      onClose={onClose}
    >
      <Field
        label={t`Name`}
        hint={t`Kept in this browser. A view of the same name is replaced.`}
        error={empty ? t`Fill in this field.` : undefined}
      >
        {(control) => (
          <input
            {...control}
            autoFocus
            autoComplete="off"
            maxLength={100}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
