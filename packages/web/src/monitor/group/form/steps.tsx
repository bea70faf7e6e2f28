import { useLingui } from '@lingui/react/macro'
import type { ScanId, UserId } from '@clearway/contract/kit/id.ts'
import { goalDays } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { Field } from '../../../kit/form/field.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { PickList } from '../../../kit/form/pick-list.tsx'
import { TeamRoles } from '../../access/parts/team-roles.tsx'
import { useRoleNames } from '../../access/parts/role-names.tsx'
import { type GroupFormState, type GroupValues, groupFields } from '../parts/use-form.ts'

export type GroupChoices = {
  scans: { id: ScanId; name: string }[]
  teams: { id: string; name: string }[]
  people: { id: UserId; name: string }[]
}
type GroupStepProps = { form: GroupFormState; choices: GroupChoices }

export function GeneralStep({ form: { values, changeValues, steps }, choices }: GroupStepProps) {
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
            onChange={({ target }) => changeValues({ name: target.value })}
          />
        )}
      </Field>
      <div className={layout.row}>
        <Field
          id={groupFields.target}
          label={t`Score to reach`}
          optional={t`optional`}
          width="narrow"
          error={steps.getFieldError(groupFields.target)}
        >
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              value={values.targetScore}
              onChange={({ target }) => changeValues({ targetScore: target.value })}
            />
          )}
        </Field>
        <Field label={t`Due on`} optional={t`optional`} width="narrow">
          {(control) => (
            <input
              {...control}
              type="date"
              {...goalDays}
              value={values.targetDue}
              onChange={({ target }) => changeValues({ targetDue: target.value })}
            />
          )}
        </Field>
      </div>
      <PickList
        id={groupFields.admins}
        error={steps.getFieldError(groupFields.admins)}
        legend={t`Group admins`}
        items={choices.people}
        selectedIds={values.admins}
        onChange={(admins) => changeValues({ admins })}
      />
    </>
  )
}

export function ScansStep({ form: { values, changeValues, steps }, choices }: GroupStepProps) {
  const { t } = useLingui()
  return (
    <PickList
      id={groupFields.scans}
      error={steps.getFieldError(groupFields.scans)}
      legend={t`Scans`}
      items={choices.scans}
      selectedIds={values.scans}
      onChange={(scans) => changeValues({ scans })}
    />
  )
}

/** Teams with a role on all scans of the group. */
export function TeamsStep({ form: { values, changeValues, steps }, choices }: GroupStepProps) {
  return (
    <TeamRoles
      id={groupFields.teams}
      error={steps.getFieldError(groupFields.teams)}
      teams={choices.teams}
      rolesByTeam={values.teams}
      onChange={(teams) => changeValues({ teams })}
    />
  )
}

export function GroupReview({ values, choices }: { values: GroupValues; choices: GroupChoices }) {
  const { t } = useLingui()
  const { formatDay } = useFormats()
  const { targetScore, targetDue } = values
  const dueDay = targetDue && formatDay(targetDue)
  const roleNames = useRoleNames()
  const teamTexts = choices.teams.flatMap(({ id, name }) => {
    const teamRole = values.teams[id]
    return teamRole ? [`${name} (${roleNames[teamRole]})`] : []
  })
  const factEntries: [string, readonly string[]][] = [
    [t`Name`, [values.name.trim()]],
    [t`Target`, values.targetDue === '' ? [] : [t`${targetScore} by ${dueDay}`]],
    [t`Group admins`, getNames(choices.people, values.admins)],
    [t`Scans`, getNames(choices.scans, values.scans)],
    [t`Teams`, teamTexts],
  ]
  return (
    <dl className={layout.facts}>
      {factEntries.map(([word, names]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd className={layout.break}>{names.join(', ') || '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

const getNames = (items: readonly { id: string; name: string }[], selectedIds: readonly string[]): string[] =>
  items.filter(({ id }) => selectedIds.includes(id)).map(({ name }) => name)
