import { useLingui } from '@lingui/react/macro'
import type { AuthType, SignInWay } from '@clearway/contract/monitor/session/schema.ts'

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

/** Returns a function that says how a scan signs in, one sentence for each way. */
export function useSignInTexts() {
  const { t } = useLingui()
  const getText = ({ kind, name }: SignInWay): string => {
    if (kind === 'form') return name === null ? t`Signs in by a form` : t`Signs in by a form as ${name}`
    if (kind === 'script') return name === null ? t`Signs in by a script` : t`Signs in by the script ${name}`
    if (kind === 'client_cer')
      return name === null ? t`Signs in by a client certificate` : t`Signs in by the client certificate ${name}`
    const method = kind === 'basic' ? 'Basic' : kind === 'kerberos' ? 'Kerberos' : 'NTLM'
    return name === null ? t`Signs in by ${method}` : t`Signs in by ${method} as ${name}`
  }
  return (ways: readonly SignInWay[]): string[] => (ways.length === 0 ? [t`No sign-in`] : ways.map(getText))
}
