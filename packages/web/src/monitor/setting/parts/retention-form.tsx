import { useLingui } from '@lingui/react/macro'
import type { RetentionSettings, StoredRetention } from '@clearway/contract/monitor/setting/schema.ts'
import { longestKeepDays, mostKeptRuns } from '@clearway/contract/monitor/setting/schema.ts'
import { useState } from 'react'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { LeaveGuard } from '../../../kit/dialog/leave-guard.tsx'
import { fieldErrorText } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { type Faults, useFaults } from '../../../kit/form/use-faults.ts'
import { useSave } from '../../../kit/form/use-save.ts'
import { useSession } from '../../user/model.ts'
import { useSaveRetention } from '../queries.ts'

type Name = keyof RetentionSettings
/** What one enters, as the request names it. */
export const retentionFields = [
  'contentDays',
  'archiveDays',
  'deleteDays',
  'keepRuns',
] as const satisfies readonly Name[]
const ranges: Record<Name, readonly [least: number, most: number]> = {
  contentDays: [0, longestKeepDays],
  archiveDays: [0, longestKeepDays],
  deleteDays: [0, longestKeepDays],
  keepRuns: [1, mostKeptRuns],
}

const typedOf = (stored: RetentionSettings): Record<Name, string> => ({
  contentDays: String(stored.contentDays),
  archiveDays: String(stored.archiveDays),
  deleteDays: String(stored.deleteDays),
  keepRuns: String(stored.keepRuns),
})

/** What is wrong with one number, as a sentence to translate; null when nothing is. */
function faultOf(name: Name, text: string) {
  const [min, max] = ranges[name]
  if (text.trim() === '') return fieldErrorText('required')
  const value = /^\d+$/.test(text.trim()) ? Number(text) : -1
  return value < min || value > max ? fieldErrorText('wrong-type', { min, max }) : null
}

/** How many days contents, pages with their issues, and runs stay. */
export function RetentionForm({ stored }: { stored: StoredRetention }) {
  const { t } = useLingui()
  const toast = useToast()
  const { api } = useSession()
  const store = useSaveRetention()
  const [typed, setTyped] = useState(() => typedOf(stored))
  const { form, faults, show, refuse, failure } = useFaults(retentionFields)
  const words: Record<Name, readonly [label: string, hint: string]> = {
    contentDays: [
      t`Delete snapshots after (days)`,
      t`Sources of pages and pictures of elements. The newest run keeps its own. 0 keeps them all.`,
    ],
    archiveDays: [
      t`Archive runs after (days)`,
      t`Pages and issues go; the counts and the score stay, and with them the trend. 0 archives none.`,
    ],
    deleteDays: [t`Delete runs after (days)`, t`Nothing of the run stays. 0 deletes none.`],
    keepRuns: [
      t`Always keep latest runs`,
      t`So many runs of each scan are neither archived nor deleted, however old they are.`,
    ],
  }
  const save = useSave({
    version: stored.version,
    save: (version) => {
      const [contentDays, archiveDays, deleteDays, keepRuns] = retentionFields.map((name) =>
        Number(typed[name]),
      )
      return store.mutateAsync({
        contentDays: contentDays!,
        archiveDays: archiveDays!,
        deleteDays: deleteDays!,
        keepRuns: keepRuns!,
        version,
      })
    },
    latest: async () => (await api.readRetention({})).version,
    refuse: (error) => {
      refuse(error)
      return null
    },
    onSaved: () => toast('confirmation', t`Retention saved.`),
  })
  const send = () => {
    const found: Faults<Name> = {}
    for (const name of retentionFields) {
      const fault = faultOf(name, typed[name])
      if (fault) found[name] = t(fault)
    }
    if (show(found)) return
    save.send()
  }
  return (
    <CardForm
      form={form}
      failure={failure}
      failed={t`The settings could not be saved.`}
      onOverwrite={save.overwrite}
      submit={t`Save`}
      pending={save.isPending}
      onSend={send}
      head={<p>{t`Old runs are cleared away once an hour. What is gone cannot be brought back.`}</p>}
    >
      {retentionFields.map((name) => (
        <Field key={name} label={words[name][0]} hint={words[name][1]} error={faults[name]}>
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={typed[name]}
              onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
            />
          )}
        </Field>
      ))}
      <LeaveGuard blocked={() => retentionFields.some((name) => typed[name] !== String(stored[name]))} />
    </CardForm>
  )
}
