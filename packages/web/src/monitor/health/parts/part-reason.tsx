import { Plural, useLingui } from '@lingui/react/macro'
import type { HealthReason } from '@clearway/contract/monitor/health/schema.ts'
import type { ReactNode } from 'react'
import layout from '../../../kit/page/layout.module.css'

export type PartState = {
  message?: string | undefined
  reason?: HealthReason | undefined
  count?: number | undefined
  cause?: string | undefined
}

/** Why a part of the system is down or unknown, in the user's language, with the words of the other program. */
export function PartReason({ part: { message, reason, count = 0, cause } }: { part: PartState }) {
  const { t } = useLingui()
  // A newer server may have other reasons.
  if (reason === undefined) return message === undefined ? null : <span lang="en">{message}</span>
  const reasonTexts: Record<HealthReason, ReactNode> = {
    'disk-unknown': t`The free space of the data folder is not known`,
    'disk-full': t`Less than ${count} MB free`,
    'no-worker': t`No worker has reported for a while: runs wait`,
    'browser-broken': <Plural value={count} one="# worker cannot use its browser" other="# workers cannot use their browsers" />,
    'queue-stuck': <Plural value={count} one="A run has waited for # minute" other="A run has waited for # minutes" />,
    'schedules-late': (
      <Plural value={count} one="# scheduled run is due and not started" other="# scheduled runs are due and not started" />
    ),
    'no-mail-server': t`No mail server is set`,
    'mail-server-unusable': t`The mail server cannot be used`,
    'last-mail-failed': t`The last message could not be sent`,
    'identity-provider-unusable': t`The identity provider cannot be used`,
  }
  const remedyTexts: Partial<Record<HealthReason, string>> = {
    'disk-unknown': t`Check that the data folder exists and can be read.`,
    'disk-full': t`Free space, or shorten the retention.`,
    'no-worker': t`Start a worker; its log says why it ended.`,
    'browser-broken': t`Restart the worker; if that does not help, check its log and its browser.`,
    'queue-stuck': t`Check the workers, or start another one.`,
    'schedules-late': t`Check that a process with the role scheduler runs.`,
    'mail-server-unusable': t`Check the settings of the mail server.`,
    'last-mail-failed': t`Check the settings of the mail server.`,
    'identity-provider-unusable': t`Check that the identity provider can be reached.`,
  }
  return (
    <>
      {reasonTexts[reason]}
      {cause !== undefined && (
        <>
          {': '}
          <code lang="en" translate="no" className={layout.break}>
            {cause}
          </code>
        </>
      )}
      {remedyTexts[reason] !== undefined && (
        <p>
          <b>{t`What to do:`}</b> {remedyTexts[reason]}
        </p>
      )}
    </>
  )
}
