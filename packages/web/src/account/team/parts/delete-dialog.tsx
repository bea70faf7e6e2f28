import { Plural, useLingui } from '@lingui/react/macro'
import type { Team } from '@clearway/contract/account/team/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { DeleteDialog } from '../../../kit/dialog/delete-dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { teamGrantsQuery, useTeamActions } from '../queries.ts'

/** Deletes a team once its name was typed, and says what its members lose. */
export function DeleteTeamDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const { t } = useLingui()
  const toast = useToast()
  const { api } = useSession()
  const { remove } = useTeamActions()
  const grants = useQuery(teamGrantsQuery(api, team.id)).data
  const { name, memberCount } = team
  return (
    <DeleteDialog
      title={t`Delete team`}
      name={name}
      failure={remove.error ? t(getProblemMessage(remove.error)) : undefined}
      pending={remove.isPending}
      onClose={onClose}
      onDelete={() =>
        remove.mutate(team.id, {
          onSuccess: () => {
            onClose()
            toast('confirmation', t`Team deleted: ${name}`)
          },
        })
      }
    >
      <Plural value={memberCount} _0="It has no members." one="It has # member." other="It has # members." />{' '}
      {grants !== undefined && (
        <Plural
          value={grants}
          _0="It has no access to scans."
          one="Its access to # scan or scan group ends."
          other="Its access to # scans and scan groups ends."
        />
      )}
    </DeleteDialog>
  )
}
