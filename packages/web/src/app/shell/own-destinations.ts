import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../monitor/user/model.ts'

/** Somewhere to go to, with what it is called. */
export type Destination = { id: string; text: string; go: () => unknown }

/** The screens that are about whoever is signed in: the issues assigned to them, then what is theirs alone. */
export function useOwnDestinations(): readonly [Destination, ...Destination[]] {
  const { t } = useLingui()
  const { permissions } = useSession()
  const navigate = useNavigate()
  return [
    {
      id: 'mine',
      text: t`My issues`,
      go: () => navigate({ to: '/issues', search: { assignedTo: [permissions.id] } }),
    },
    { id: 'inbox', text: t`Inbox`, go: () => navigate({ to: '/inbox' }) },
    { id: 'account', text: t`My account`, go: () => navigate({ to: '/account' }) },
    { id: 'keys', text: t`API keys`, go: () => navigate({ to: '/api-keys' }) },
    { id: 'webhooks', text: t`Webhooks`, go: () => navigate({ to: '/webhooks' }) },
  ]
}
