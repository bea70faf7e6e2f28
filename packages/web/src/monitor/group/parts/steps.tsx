import { useLingui } from '@lingui/react/macro'
import type { ScanId, UserId } from '@clearway/contract/kit/id.ts'
import { Field } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PickList } from '../../../kit/form/pick-list.tsx'
import { TeamRoles } from '../../access/parts/team-roles.tsx'
import { useRoleNames } from '../../access/parts/words.tsx'
import type { GroupFormState, GroupValues } from './use-form.ts'
import { groupFields } from './use-form.ts'

export type GroupChoices = {
  scans: { id: ScanId; name: string }[]
  teams: { id: string; name: string }[]
  people: { id: UserId; name: string }[]
}
type Props = { form: GroupFormState; choices: GroupChoices }

/** Its name, and who manages it. */
export function GeneralStep({ form: { values, change, steps }, choices }: Props) {
  const { t } = useLingui()
  return (
    <>
      <Field id={groupFields.scanGroupName} label={t`Name`} error={steps.getFieldError(groupFields.scanGroupName)}>
        {(control) => (
          <input
            {...control}
            required
            maxLength={255}
            autoComplete="off"
            value={values.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <PickList
        id={groupFields.admins}
        error={steps.getFieldError(groupFields.admins)}
        legend={t`Group admins`}
        items={choices.people}
        selectedIds={values.admins}
        onChange={(admins) => change({ admins })}
      />
    </>
  )
}

/** The scans that belong to it. */
export function ScansStep({ form: { values, change, steps }, choices }: Props) {
  const { t } = useLingui()
  return (
    <PickList
      id={groupFields.scans}
      error={steps.getFieldError(groupFields.scans)}
      legend={t`Scans`}
      items={choices.scans}
      selectedIds={values.scans}
      onChange={(scans) => change({ scans })}
    />
  )
}

/** The teams that have a role on all of them. */
export function TeamsStep({ form: { values, change, steps }, choices }: Props) {
  return (
    <TeamRoles
      id={groupFields.teams}
      error={steps.getFieldError(groupFields.teams)}
      teams={choices.teams}
      chosen={values.teams}
      onChange={(teams) => change({ teams })}
    />
  )
}

/** What the group comes to. */
export function GroupReview({ values, choices }: { values: GroupValues; choices: GroupChoices }) {
  const { t } = useLingui()
  const roles = useRoleNames()
  const teams = choices.teams.flatMap(({ id, name }) => {
    const role = values.teams[id]
    return role ? [`${name} (${roles[role]})`] : []
  })
  const facts: [string, readonly string[]][] = [
    [t`Name`, [values.name.trim()]],
    [t`Group admins`, namesOf(choices.people, values.admins)],
    [t`Scans`, namesOf(choices.scans, values.scans)],
    [t`Teams`, teams],
  ]
  return (
    <dl className={layout.facts}>
      {facts.map(([word, names]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd className={layout.break}>{names.join(', ') || '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

const namesOf = (items: readonly { id: string; name: string }[], chosen: readonly string[]): string[] =>
  items.filter(({ id }) => chosen.includes(id)).map(({ name }) => name)
