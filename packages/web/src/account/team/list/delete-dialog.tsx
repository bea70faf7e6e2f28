import { Plural, useLingui } from '@lingui/react/macro'
import type { Team } from '@clearway/contract/account/team/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { DeleteDialog } from '../../../kit/dialog/delete-dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { teamGrantsQuery, useTeamActions } from '../queries.ts'

/** Deletes a team after its name is typed, and explains the members' lost access. */
export function DeleteTeamDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const { t } = useLingui()
  const showToast = useToast()
  const { api: apiClient } = useSession()
  const { deleteTeam } = useTeamActions()
  const grantCount = useQuery(teamGrantsQuery(apiClient, team.id)).data
  const { name: teamName, memberCount } = team
  return (
    <DeleteDialog
      title={t`Delete team`}
      name={teamName}
      failure={deleteTeam.error ? t(getProblemMessage(deleteTeam.error)) : undefined}
      pending={deleteTeam.isPending}
      onClose={onClose}
      onDelete={() =>
        deleteTeam.mutate(team.id, {
          onSuccess: () => {
            onClose()
            showToast('confirmation', t`Team deleted: ${teamName}`)
          },
        })
      }
    >
      <Plural value={memberCount} _0="It has no members." one="It has # member." other="It has # members." />{' '}
      {grantCount !== undefined && (
        <Plural
          value={grantCount}
          _0="It has no access to scans."
          one="Its access to # scan or scan group ends."
          other="Its access to # scans and scan groups ends."
        />
      )}
    </DeleteDialog>
  )
}
