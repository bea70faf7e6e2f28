import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { CheckField, Unavailable } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../model.ts'
import { ownSettingsQuery, useSaveOwnSettings } from '../queries.ts'
import { useNoMail } from './use-no-mail.ts'

/** Which mails one gets, beside those of the scans that name one; kept as it is ticked. */
export function OwnMails() {
  const { t } = useLingui()
  const toast = useToast()
  const settings = useQuery(ownSettingsQuery(useSession().api))
  const save = useSaveOwnSettings()
  const { data } = settings
  const noMail = useNoMail()
  // What is being saved shows at once; what could not be saved is again as it was.
  const mentionMails = save.isPending ? save.variables.mentionMails : data?.mentionMails
  const change = (wanted: boolean) =>
    save.mutate(
      { mentionMails: wanted },
      {
        onSuccess: () =>
          toast(
            'confirmation',
            wanted ? t`You get comments that mention you by email.` : t`These emails are turned off.`,
          ),
        onError: (error) => toast('error', t(getProblemMessage(error))),
      },
    )
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Email notifications`}>
      <h2>{t`Email notifications`}</h2>
      <QueryState
        query={settings}
        loadingLabel={t`Loading the settings`}
        failureTitle={t`The settings could not be loaded.`}
      />
      {data && (
        <Unavailable reason={noMail.everybody ?? noMail.me}>
          <CheckField label={t`Comments that mention you`} hint={t`You find them in your inbox in any case.`}>
            {(control) => (
              <input
                {...control}
                type="checkbox"
                checked={mentionMails}
                onChange={({ target }) => change(target.checked)}
              />
            )}
          </CheckField>
        </Unavailable>
      )}
    </section>
  )
}
