import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { CheckField } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../model.ts'
import { ownSettingsQuery, useSaveOwnSettings } from '../queries.ts'
import { useMailUnavailability } from './use-mail-unavailability.ts'

/** Card of the email preferences, for accounts whose email another identity provider keeps. */
export function OwnMails() {
  const { t } = useLingui()
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Email notifications`}>
      <h2>{t`Email notifications`}</h2>
      <OwnMailChoices />
    </section>
  )
}

/** The user's email preferences, except those of scans that name the user. Saved on each change. */
export function OwnMailChoices() {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const settingsResult = useQuery(ownSettingsQuery(useSession().api))
  const saveMutation = useSaveOwnSettings()
  const { data: ownSettings } = settingsResult
  const unavailableMail = useMailUnavailability()
  const unavailableReason = unavailableMail.everybody ?? unavailableMail.me
  // Optimistic update: a pending change is shown at once and rolled back on failure.
  const mentionMails = saveMutation.isPending ? saveMutation.variables.mentionMails : ownSettings?.mentionMails
  const changeMentionMails = (isEnabled: boolean) =>
    saveMutation.mutate(
      { mentionMails: isEnabled },
      {
        onSuccess: () =>
          showToast('confirmation', isEnabled ? t`You get comments that mention you by email.` : t`These emails are turned off.`),
        onError: showError,
      },
    )
  return (
    <>
      <QueryState
        query={settingsResult}
        loadingLabel={t`Loading the settings`}
        failureTitle={t`The settings could not be loaded.`}
      />
      {ownSettings && unavailableMail.everybody !== undefined && <p className={layout.muted}>{unavailableMail.everybody}</p>}
      {ownSettings && unavailableMail.everybody === undefined && (
        <fieldset disabled={unavailableReason !== undefined}>
          <CheckField label={t`Comments that mention you`} hint={unavailableReason ?? t`They always appear in your inbox.`}>
            {(control) => (
              <input
                {...control}
                type="checkbox"
                checked={mentionMails === true && unavailableReason === undefined}
                onChange={({ target }) => changeMentionMails(target.checked)}
              />
            )}
          </CheckField>
        </fieldset>
      )}
    </>
  )
}
