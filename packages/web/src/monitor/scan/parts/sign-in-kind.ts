import { useLingui } from '@lingui/react/macro'
import type { AuthType } from '@clearway/contract/monitor/session/schema.ts'

/** Returns the names of the kinds of sign-in. */
export function useSignInKindLabels(): Readonly<Record<AuthType, string>> {
  const { t } = useLingui()
  return {
    form: t`Sign-in form`,
    basic: t`User name and password (Basic)`,
    ntlm: 'NTLMv2',
    ntlm_ss: t`NTLMv2 with session security`,
    kerberos: 'Kerberos',
    client_cer: t`Client certificate`,
  }
}
