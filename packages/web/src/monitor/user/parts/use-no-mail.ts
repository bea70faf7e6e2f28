import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../model.ts'
import { ownSettingsQuery } from '../queries.ts'

/**
 * Why no mail arrives: for everybody, or for oneself alone; neither where it arrives, or while that is not known. A choice of
 * mail that does not arrive is disabled and says why; what was chosen before is kept.
 */
export function useNoMail(): { everybody?: string; me?: string } {
  const { t } = useLingui()
  const mail = useQuery(ownSettingsQuery(useSession().api)).data
  if (mail?.sendsMail === false) return { everybody: t`This server sends no email.` }
  if (mail?.email === null) return { me: t`Your account has no email address.` }
  return {}
}
