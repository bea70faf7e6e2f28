import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { PresetId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../../kit/field.tsx'
import { PickList } from '../../../kit/pick-list.tsx'
import { useSession } from '../../user/model.ts'
import { presetNamesQuery, scriptNamesQuery } from '../queries.ts'
import { selectedScansQuery, useBulkScans } from '../queries-bulk.ts'
import { BulkDeleteDialog } from './scan-bulk-delete.tsx'
import type { BulkProps } from './scan-bulk-frame.tsx'
import { BulkFrame, useTold } from './scan-bulk-frame.tsx'

/** One question about many scans: which scripts, which preset, or whether to delete them. */
export function ScanBulkDialog({ kind, ...props }: BulkProps & { kind: 'scripts' | 'preset' | 'delete' }) {
  if (kind === 'scripts') return <ScriptsDialog {...props} />
  return kind === 'preset' ? <PresetDialog {...props} /> : <BulkDeleteDialog {...props} />
}

function ScriptsDialog({ body, onClose, onDone }: BulkProps) {
  const { t } = useLingui()
  const { api } = useSession()
  const { change } = useBulkScans()
  const tell = useTold({ onClose, onDone })
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
          tell(
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
      <PickList legend={t`Shared user flows`} items={ofType('TASK')} chosen={tasks} onChange={setTasks} />
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
          <select {...control} value={session} onChange={({ target }) => setSession(target.value)}>
            <option value="">{t`None`}</option>
            {ofType('SESSION').map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </BulkFrame>
  )
}

function PresetDialog({ body, onClose, onDone }: BulkProps) {
  const { t } = useLingui()
  const { api } = useSession()
  const { change } = useBulkScans()
  const tell = useTold({ onClose, onDone })
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
          tell(
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
          <select {...control} autoFocus value={preset} onChange={({ target }) => setPreset(target.value)}>
            <option value="">{t`None`}</option>
            {data?.content.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </BulkFrame>
  )
}
