import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../model.ts'
import { ownSettingsQuery } from '../queries.ts'

/** Reasons why emails are not delivered, for all users or this one; empty if delivered or unknown. */
export function useMailUnavailability(): { everybody?: string; me?: string } {
  const { t } = useLingui()
  const mailSettings = useQuery(ownSettingsQuery(useSession().api)).data
  if (mailSettings?.sendsMail === false) return { everybody: t`This server sends no email.` }
  if (mailSettings?.email === null) return { me: t`Your account has no email address.` }
  return {}
}
