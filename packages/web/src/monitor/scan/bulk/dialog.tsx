import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { PresetId } from '@clearway/contract/kit/id.ts'
import { ScanTag } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { toNamedOptions, Select } from '../../../kit/form/select.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { PickList } from '../../../kit/form/pick-list.tsx'
import { useSession } from '../../user/model.ts'
import { presetNamesQuery, scanTagsQuery, scriptNamesQuery } from '../queries.ts'
import type { Selected } from './queries.ts'
import { selectedScansQuery, useBulkScans } from './queries.ts'
import layout from '../../../kit/page/layout.module.css'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { TypedConfirmationField, useTypedConfirmation } from '../../../kit/dialog/typed-field.tsx'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'

/** One question about many scans: which scripts, which preset, or whether to delete them. */
export function ScanBulkDialog({
  kind,
  ...props
}: BulkProps & { kind: 'scripts' | 'preset' | 'tags' | 'delete' }) {
  if (kind === 'scripts') return <ScriptsDialog {...props} />
  if (kind === 'tags') return <TagsDialog {...props} />
  return kind === 'preset' ? <PresetDialog {...props} /> : <BulkDeleteDialog {...props} />
}

function ScriptsDialog({ body, onClose, onDone }: BulkProps) {
  const { t } = useLingui()
  const { api } = useSession()
  const { change } = useBulkScans()
  const showResult = useResultToast({ onClose, onDone })
  const { data } = useQuery(scriptNamesQuery(api))
  const { data: about } = useQuery(selectedScansQuery(api, body))
  const [tasks, setTasks] = useState<string[]>([])
  const [session, setSession] = useState('')
  const [missing, setMissing] = useState(false)
  const ofType = (type: 'TASK' | 'SESSION') =>
    (data ?? []).filter((one) => one.type === type).map(({ id, name }) => ({ id: id as string, name }))
  const submit = () => {
    setMissing(tasks.length === 0 && session === '')
    if (tasks.length === 0 && session === '') return
    change.mutate(
      {
        selected: body,
        ...(tasks.length > 0 ? { sharedTaskScripts: tasks } : {}),
        ...(session ? { sharedSessionScript: session } : {}),
      },
      {
        onSuccess: (result) =>
          showResult(
            t`${plural(result.changed, { one: 'Scripts applied to # scan.', other: 'Scripts applied to # scans.' })}`,
            result,
          ),
      },
    )
  }
  return (
    <BulkFrame
      body={body}
      onClose={onClose}
      title={t`Apply shared scripts`}
      submit={t`Apply`}
      pending={change.isPending}
      failure={change.error}
      failed={t`The scripts could not be applied.`}
      onSubmit={submit}
    >
      <PickList legend={t`Shared user flows`} items={ofType('TASK')} selectedIds={tasks} onChange={setTasks} />
      <Field
        label={t`Shared session script`}
        hint={
          about && about.withSessionScript > 0 ? (
            <Plural
              value={about.withSessionScript}
              one="# of them has a session script, which this one replaces."
              other="# of them have a session script, which this one replaces."
            />
          ) : undefined
        }
        error={missing ? t`Choose at least one script.` : undefined}
      >
        {(control) => (
          <Select
            {...control}
            value={session}
            options={toNamedOptions(t`None`, ofType('SESSION'))}
            onChange={setSession}
          />
        )}
      </Field>
    </BulkFrame>
  )
}

function PresetDialog({ body, onClose, onDone }: BulkProps) {
  const { t } = useLingui()
  const { api } = useSession()
  const { change } = useBulkScans()
  const showResult = useResultToast({ onClose, onDone })
  const { data } = useQuery(presetNamesQuery(api))
  const { data: about } = useQuery(selectedScansQuery(api, body))
  const [preset, setPreset] = useState('')
  const [missing, setMissing] = useState(false)
  const submit = () => {
    setMissing(preset === '')
    if (preset === '') return
    change.mutate(
      { selected: body, presetId: preset as PresetId },
      {
        onSuccess: (result) =>
          showResult(
            t`${plural(result.changed, { one: 'Preset assigned to # scan.', other: 'Preset assigned to # scans.' })}`,
            result,
          ),
      },
    )
  }
  return (
    <BulkFrame
      body={body}
      onClose={onClose}
      title={t`Assign a preset`}
      submit={t`Assign`}
      pending={change.isPending}
      failure={change.error}
      failed={t`The preset could not be assigned.`}
      onSubmit={submit}
    >
      <Field
        label={t`Preset`}
        hint={
          about && about.withPreset > 0 ? (
            <Plural
              value={about.withPreset}
              one="# of them has a preset already, and keeps it."
              other="# of them have a preset already, and keep it."
            />
          ) : undefined
        }
        error={missing ? t`Choose a preset.` : undefined}
      >
        {(control) => (
          <Select {...control} autoFocus value={preset} options={toNamedOptions(t`None`, data)} onChange={setPreset} />
        )}
      </Field>
    </BulkFrame>
  )
}

/** Adds tags to the scans, and removes others. */
function TagsDialog({ body, onClose, onDone }: BulkProps) {
  const { t } = useLingui()
  const { api } = useSession()
  const { tag } = useBulkScans()
  const showResult = useResultToast({ onClose, onDone })
  const known = useQuery(scanTagsQuery(api)).data?.content ?? []
  const [typed, setTyped] = useState('')
  const [remove, setRemove] = useState<string[]>([])
  const [fault, setFault] = useState<string>()
  const submit = () => {
    const add = [...new Set(typed.split(',').map((one) => one.trim()))].filter(Boolean)
    if (add.length + remove.length === 0) return setFault(t`Enter a tag, or choose one to remove.`)
    if (add.some((one) => !ScanTag.safeParse(one).success))
      return setFault(t`A tag has at most 50 characters.`)
    tag.mutate(
      { selected: body, add, remove },
      {
        onSuccess: ({ changed, skipped, ignored }) =>
          showResult(
            [
              t`${plural(changed, { one: 'Tags changed on # scan.', other: 'Tags changed on # scans.' })}`,
              ...(ignored > 0 ? [t`Skipped, because they have the maximum number of tags: ${ignored}.`] : []),
            ].join(' '),
            { changed, skipped },
          ),
      },
    )
  }
  return (
    <BulkFrame
      body={body}
      onClose={onClose}
      title={t`Tags`}
      submit={t`Save tags`}
      pending={tag.isPending}
      failure={tag.error}
      failed={t`The tags could not be saved.`}
      onSubmit={submit}
    >
      <Field label={t`Add tags`} hint={t`Separate several with commas.`} error={fault}>
        {(control) => (
          <input
            {...control}
            autoFocus
            autoComplete="off"
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value)
              setFault(undefined)
            }}
          />
        )}
      </Field>
      {known.length > 0 && (
        <PickList
          legend={t`Remove tags`}
          items={known.map(({ tag: name }) => ({ id: name, name }))}
          selectedIds={remove}
          onChange={setRemove}
        />
      )}
    </BulkFrame>
  )
}

type BulkProps = { body: Selected; onClose: () => void; onDone: () => void }

type Result = { changed: number; skipped: number; ignored?: number }

/** One message for what was done and what was not. */
function useResultToast({ onClose, onDone }: Pick<BulkProps, 'onClose' | 'onDone'>) {
  const { t } = useLingui()
  const toast = useToast()
  return (done: string, { skipped, ignored = 0 }: Result) => {
    const words = [
      done,
      ...(ignored > 0
        ? [
            t`${plural(ignored, { one: '# already had a preset and was left alone.', other: '# already had a preset and were left alone.' })}`,
          ]
        : []),
      ...(skipped > 0
        ? [
            t`${plural(skipped, { one: '# was skipped: your role does not allow it.', other: '# were skipped: your role does not allow it.' })}`,
          ]
        : []),
    ]
    onDone()
    onClose()
    toast(skipped > 0 || ignored > 0 ? 'caution' : 'confirmation', words.join(' '))
  }
}

type FrameProps = Pick<BulkProps, 'body' | 'onClose'> & {
  title: string
  submit: string
  danger?: boolean
  pending: boolean
  failure: unknown
  failed: string
  onSubmit: () => void
  children: ReactNode
}

/** What every bulk dialog says first: how many scans, and how many of them may be changed. */
function BulkFrame(props: FrameProps) {
  const { body, onClose, title, submit, danger = false, pending, failure, failed, onSubmit, children } = props
  const { api } = useSession()
  const { data } = useQuery(selectedScansQuery(api, body))
  return (
    <FormDialog
      title={title}
      submitLabel={submit}
      kind={danger ? 'danger' : 'primary'}
      pending={pending}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {data && (
        <p>
          <Plural value={data.count} one="# scan is selected." other="# scans are selected." />{' '}
          {data.manageable < data.count && (
            <Plural
              value={data.manageable}
              one="You may change # of them."
              other="You may change # of them."
            />
          )}
        </p>
      )}
      {children}
      {failure !== null && <ErrorCard title={failed} error={failure} />}
    </FormDialog>
  )
}

/** Deletes the ticked scans once their number was typed; one alone by its name. */
function BulkDeleteDialog({ body, onClose, onDone }: BulkProps) {
  const { t } = useLingui()
  const { api } = useSession()
  const { remove } = useBulkScans()
  const showResult = useResultToast({ onClose, onDone })
  const { data } = useQuery(selectedScansQuery(api, body))
  const count = data?.count ?? 0
  // One scan is deleted by its name, several by their number.
  const only = count === 1 ? data?.scans[0]?.name : undefined
  const wanted = only ?? String(count)
  const wrong = only === undefined ? t`This is not the number of scans.` : t`This is not the name.`
  const typed = useTypedConfirmation(data ? wanted : null)
  const submit = () => {
    if (!typed.validate()) return
    remove.mutate(body, {
      onSuccess: (result) =>
        showResult(
          t`${plural(result.changed, { one: '# scan deleted.', other: '# scans deleted.' })}`,
          result,
        ),
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
      <p>{t`Their runs, pages and issues are deleted, too. This cannot be undone.`}</p>
      <ul className={layout.tight}>
        {data?.scans.slice(0, 5).map(({ id, name }) => (
          <li key={id} className={layout.break}>
            {name}
          </li>
        ))}
      </ul>
      {count > 5 && <Plural value={count - 5} one="and # more" other="and # more" />}
      <TypedConfirmationField
        confirmation={typed}
        label={only === undefined ? t`Type the number of scans: ${wanted}` : t`Type the name: ${wanted}`}
        error={typed.isMismatch ? wrong : undefined}
      />
    </BulkFrame>
  )
}
