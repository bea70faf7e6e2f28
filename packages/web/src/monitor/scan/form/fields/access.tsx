import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { PickList } from '../../../../kit/form/pick-list.tsx'
import { ErrorCard, Skeleton } from '../../../../kit/page/states.tsx'
import { TeamRoles } from '../../../access/parts/team-roles.tsx'
import { useSession } from '../../../user/model.ts'
import { accessChoicesQuery } from '../../queries.ts'
import type { ScanForm } from '../values.ts'

/** Which teams have which role on the scan, and the groups in which it is. */
export function AccessFields() {
  const { t } = useLingui()
  const { api } = useSession()
  const { watch, setValue, formState } = useFormContext<ScanForm>()
  const choices = useQuery(accessChoicesQuery(api))
  const [teams, groups] = watch(['teams', 'groups'])
  if (choices.isPending) return <Skeleton label={t`Loading`} />
  if (choices.isError)
    return (
      <ErrorCard
        title={t`The teams and groups could not be loaded.`}
        error={choices.error}
        onRetry={() => void choices.refetch()}
      />
    )
  const change = { shouldDirty: true, shouldValidate: formState.isSubmitted }
  const errorOf = (field: 'teams' | 'groups') => {
    const message = formState.errors[field]?.message
    return typeof message === 'string' ? message : undefined
  }
  return (
    <>
      <TeamRoles
        id="teams"
        error={errorOf('teams')}
        teams={choices.data.teams}
        chosen={teams}
        onChange={(next) => setValue('teams', next, change)}
      />
      {choices.data.groups.length > 0 && (
        <PickList
          id="groups"
          error={errorOf('groups')}
          legend={t`Scan groups`}
          items={choices.data.groups}
          selectedIds={groups}
          onChange={(next) => setValue('groups', next, change)}
        />
      )}
    </>
  )
}
