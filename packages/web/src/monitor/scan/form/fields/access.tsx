import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { PickList } from '../../../../kit/form/pick-list.tsx'
import { ErrorCard, Skeleton } from '../../../../kit/page/states.tsx'
import { TeamRoles } from '../../../access/parts/team-roles.tsx'
import { useSession } from '../../../user/model.ts'
import { accessChoicesQuery } from '../../queries.ts'
import type { ScanForm } from '../values.ts'

/** Teams with their roles on the scan, and its scan groups. */
export function AccessFields() {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { watch, setValue, formState } = useFormContext<ScanForm>()
  const choicesResult = useQuery(accessChoicesQuery(apiClient))
  const [teamRoles, groupIds] = watch(['teams', 'groups'])
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
  const getFieldError = (field: 'teams' | 'groups') => {
    const errorMessage = formState.errors[field]?.message
    return typeof errorMessage === 'string' ? errorMessage : undefined
  }
  return (
    <>
      <TeamRoles
        id="teams"
        error={getFieldError('teams')}
        teams={choicesResult.data.teams}
        rolesByTeam={teamRoles}
        onChange={(next) => setValue('teams', next, changeOptions)}
      />
      {choicesResult.data.groups.length > 0 && (
        <PickList
          id="groups"
          error={getFieldError('groups')}
          legend={t`Scan groups`}
          items={choicesResult.data.groups}
          selectedIds={groupIds}
          onChange={(next) => setValue('groups', next, changeOptions)}
        />
      )}
    </>
  )
}
