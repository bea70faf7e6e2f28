import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { PickList } from '../../../../kit/form/pick-list.tsx'
import { ErrorCard, Skeleton } from '../../../../kit/page/states.tsx'
import { TeamRoles } from '../../../access/parts/team-roles.tsx'
import { useSession } from '../../../user/model.ts'
import { accessChoicesQuery } from '../../queries.ts'
import type { ScanForm } from '../values.ts'
import { useFieldError } from './controls.tsx'

/** Teams with their roles on the scan, and its scan groups. */
export function AccessFields() {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { watch, setValue, formState } = useFormContext<ScanForm>()
  const choicesResult = useQuery(accessChoicesQuery(apiClient))
  const [teamsError, groupsError] = [useFieldError('access.teams'), useFieldError('access.groups')]
  const [teamRoles, groupIds] = watch(['access.teams', 'access.groups'])
  if (choicesResult.isPending) return <Skeleton label={t`Loading`} />
  if (choicesResult.isError)
    return (
      <ErrorCard
        title={t`The teams and groups could not be loaded.`}
        error={choicesResult.error}
        onRetry={() => void choicesResult.refetch()}
      />
    )
  const changeOptions = { shouldDirty: true, shouldValidate: formState.isSubmitted }
  return (
    <>
      <TeamRoles
        id="access.teams"
        error={teamsError}
        teams={choicesResult.data.teams}
        rolesByTeam={teamRoles}
        onChange={(next) => setValue('access.teams', next, changeOptions)}
      />
      {choicesResult.data.groups.length > 0 && (
        <PickList
          id="access.groups"
          error={groupsError}
          legend={t`Scan groups`}
          items={choicesResult.data.groups}
          selectedIds={groupIds}
          onChange={(next) => setValue('access.groups', next, changeOptions)}
        />
      )}
    </>
  )
}
