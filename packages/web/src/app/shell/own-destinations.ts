import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../monitor/user/model.ts'

export type Destination = { id: string; text: string; go: () => unknown }

export function useOwnDestinations(): readonly [Destination, ...Destination[]] {
  const { t } = useLingui()
  const { permissions } = useSession()
  const navigateTo = useNavigate()
  return [
    {
      id: 'mine',
      text: t`My issues`,
      go: () => navigateTo({ to: '/issues', search: { assignedTo: [permissions.id] } }),
    },
    { id: 'ignored', text: t`Ignored issues`, go: () => navigateTo({ to: '/ignored' }) },
    { id: 'inbox', text: t`Inbox`, go: () => navigateTo({ to: '/inbox' }) },
    { id: 'account', text: t`My account`, go: () => navigateTo({ to: '/account' }) },
    { id: 'keys', text: t`API keys`, go: () => navigateTo({ to: '/api-keys' }) },
    { id: 'webhooks', text: t`Webhooks`, go: () => navigateTo({ to: '/webhooks' }) },
  ]
}
