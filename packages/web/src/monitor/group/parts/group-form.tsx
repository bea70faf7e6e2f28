import { Plural, useLingui } from '@lingui/react/macro'
import type { GroupId, ScanId, UserId } from '@clearway/contract/kit/id.ts'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode, RefObject } from 'react'
import { useRef, useState } from 'react'
import { Button, buttonClass } from '../../../kit/button.tsx'
import { ApiError } from '../../../kit/client.ts'
import { Field } from '../../../kit/field.tsx'
import layout from '../../../kit/layout.module.css'
import { LeaveGuard } from '../../../kit/leave-guard.tsx'
import { PickList } from '../../../kit/pick-list.tsx'
import { fieldErrorText } from '../../../kit/problem-text.ts'
import { ErrorCard, Skeleton } from '../../../kit/states.tsx'
import { SaveFailure } from '../../../kit/save-failure.tsx'
import { useToast } from '../../../kit/toast.tsx'
import { useSave } from '../../../kit/use-save.ts'
import { TeamRoles, teamRolesOf } from '../../access/parts/team-roles.tsx'
import { useSession } from '../../user/model.ts'
import { groupChoicesQuery, groupVersion, useGroupActions } from '../queries.ts'

export type GroupValues = {
  name: string
  admins: UserId[]
  scans: ScanId[]
  teams: Record<string, ScanRole>
}
type GroupChoices = {
  scans: { id: ScanId; name: string }[]
  teams: { id: string; name: string }[]
  people: { id: UserId; name: string }[]
}
type Props = { id: GroupId | null; version: number; before: GroupValues; submit: string; failed: string }

type FormState = {
  values: GroupValues
  change: (next: Partial<GroupValues>) => void
  nameError: string | undefined
  input: RefObject<HTMLInputElement | null>
}

/** The values, and sending them; what is wrong with the name lands at its field. */
function useGroupForm({ id, version, before }: Pick<Props, 'id' | 'version' | 'before'>) {
  const { t } = useLingui()
  const toast = useToast()
  const navigate = useNavigate()
  const { api } = useSession()
  const actions = useGroupActions()
  const [values, setValues] = useState(before)
  const [nameError, setNameError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const change: FormState['change'] = (next) => {
    setValues({ ...values, ...next })
    if (next.name !== undefined) setNameError(undefined)
  }
  const wrongName = (message: string) => {
    setNameError(message)
    input.current?.focus()
  }
  const refuse = (error: unknown) => {
    const problem = error instanceof ApiError ? error.problem : null
    const wrong = problem?.errors?.find(({ path }) => path === 'scanGroupName')
    if (problem?.code === 'name-taken') wrongName(t`This name is taken already. Choose a different one.`)
    else if (wrong) wrongName(t(fieldErrorText(wrong.code, wrong.params)))
    return problem?.code === 'name-taken' || wrong !== undefined
  }
  const { name, admins, scans, teams } = values
  const save = useSave({
    version,
    save: (known) => {
      const body = { scanGroupName: name, admins, scans, teams: teamRolesOf(teams) }
      return actions.save.mutateAsync({ id, body, version: known })
    },
    latest: () => (id ? groupVersion(api, id) : Promise.resolve(0)),
    refuse,
    onSaved: () => {
      toast('confirmation', t`Scan group saved: ${name}`)
      void navigate({ to: '/admin' })
    },
  })
  const send = () => {
    if (name.trim() === '') wrongName(t(fieldErrorText('required')))
    else save.send()
  }
  const isChanged = () => values !== before && !save.isSaved()
  return { values, change, nameError, input, send, save, isChanged }
}

/** Name, admins, scans and teams of a scan group, and what that comes to. */
export function GroupForm({ id, version, before, submit, failed }: Props) {
  const { t } = useLingui()
  const choices = useQuery(groupChoicesQuery(useSession()))
  const form = useGroupForm({ id, version, before })
  const { save } = form
  return (
    <>
      {choices.isPending && <Skeleton label={t`Loading`} />}
      {choices.isError && (
        <ErrorCard
          title={t`The scans, teams and people could not be loaded.`}
          error={choices.error}
          onRetry={() => void choices.refetch()}
        />
      )}
      {choices.data && (
        <form
          noValidate
          className={layout.stack}
          onSubmit={(event) => {
            event.preventDefault()
            form.send()
          }}
        >
          {save.failure !== null && (
            <SaveFailure
              title={failed}
              error={save.failure}
              onRetry={form.send}
              onOverwrite={save.overwrite}
            />
          )}
          <Sections form={form} choices={choices.data} />
          <Section title={t`Review`}>
            <Review values={form.values} />
            <div className={layout.row}>
              <Button kind="primary" type="submit" pending={save.isPending}>
                {submit}
              </Button>
              <Link to="/admin" className={buttonClass()}>{t`Cancel`}</Link>
            </div>
          </Section>
        </form>
      )}
      <LeaveGuard blocked={form.isChanged} />
    </>
  )
}

function Sections({ form, choices }: { form: FormState; choices: GroupChoices }) {
  const { t } = useLingui()
  const { values, change, nameError, input } = form
  return (
    <>
      <Section title={t`General`}>
        <Field label={t`Name`} error={nameError}>
          {(control) => (
            <input
              {...control}
              ref={input}
              required
              maxLength={255}
              autoComplete="off"
              value={values.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <PickList
          legend={t`Group admins`}
          items={choices.people}
          chosen={values.admins}
          onChange={(admins) => change({ admins })}
        />
      </Section>
      <Section title={t`Add scans`}>
        <PickList
          legend={t`Scans`}
          items={choices.scans}
          chosen={values.scans}
          onChange={(scans) => change({ scans })}
        />
      </Section>
      <Section title={t`Add teams`}>
        <TeamRoles teams={choices.teams} chosen={values.teams} onChange={(teams) => change({ teams })} />
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Review({ values }: { values: GroupValues }) {
  const { t } = useLingui()
  return (
    <dl className={layout.facts}>
      <div>
        <dt>{t`Name`}</dt>
        <dd>{values.name.trim() || '–'}</dd>
      </div>
      <div>
        <dt>{t`Contents`}</dt>
        <dd>
          <Plural value={values.scans.length} one="# scan" other="# scans" />
        </dd>
      </div>
      <div>
        <dt>{t`Access`}</dt>
        <dd>
          <Plural value={Object.keys(values.teams).length} one="# team" other="# teams" />
        </dd>
      </div>
      <div>
        <dt>{t`Administration`}</dt>
        <dd>
          <Plural value={values.admins.length} one="# group admin" other="# group admins" />
        </dd>
      </div>
    </dl>
  )
}
