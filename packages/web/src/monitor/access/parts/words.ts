import { useLingui } from '@lingui/react/macro'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'

/** What each role of a team is called. */
export function useRoleNames(): Record<ScanRole, string> {
  const { t } = useLingui()
  return { scanViewer: t`Scan Viewer`, scanMember: t`Scan Member`, scanAdmin: t`Scan Admin` }
}
