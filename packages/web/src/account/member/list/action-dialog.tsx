import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { Person } from '@clearway/contract/account/member/schema.ts'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { type PersonAction, usePeopleActions } from '../queries.ts'
import { getPersonName } from '../../../kit/text/person.ts'

type ActionTexts = { title: MessageDescriptor; consequence: MessageDescriptor; doneText: MessageDescriptor }

const actionTexts: Record<PersonAction, ActionTexts> = {
  deactivate: {
    title: msg`Deactivate`,
    consequence: msg`They are signed out at once, and cannot sign in. Their API keys and email notifications end. What they did is kept, and they can be reactivated.`,
    doneText: msg`Deactivated`,
  },
  reactivate: {
    title: msg`Reactivate`,
    consequence: msg`They can sign in again, with the same password, role and teams. They need new API keys.`,
    doneText: msg`Reactivated`,
  },
  delete: {
    title: msg`Delete`,
    consequence: msg`Their account, teams and API keys are deleted. What they did is kept under the name “Former member”. This cannot be undone.`,
    doneText: msg`Deleted`,
  },
  'end-sessions': {
    title: msg`Sign out everywhere`,
    consequence: msg`They have to sign in again on every device. API keys keep working.`,
    doneText: msg`Signed out everywhere`,
  },
  'remove-second-factor': {
    title: msg`Remove second factor`,
    consequence: msg`Their authenticator app and recovery codes stop working, and they are signed out everywhere. Their password alone signs in until they set up another second factor.`,
    doneText: msg`Second factor removed`,
  },
}

type ActionDialogProps = { person: Person; action: PersonAction; onClose: () => void }

export function ActionDialog({ person, action, onClose }: ActionDialogProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const { runAction } = usePeopleActions()
  const personName = getPersonName(person)
  const { title: titleText, consequence, doneText } = actionTexts[action]
  const dialogTitle = t(titleText)
  const confirmAction = () =>
    runAction.mutate(
      { id: person.id, action },
      {
        onSuccess: () => {
          onClose()
          const doneLabel = t(doneText)
          showToast('confirmation', t`${personName}: ${doneLabel}`)
        },
      },
    )
  return (
    <Dialog alert title={t`${personName}: ${dialogTitle}`} onClose={onClose}>
      {runAction.error && <ErrorCard title={t`This could not be done.`} error={runAction.error} />}
      <p>{t(consequence)}</p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind={action === 'reactivate' ? 'primary' : 'danger'} pending={runAction.isPending} onPress={confirmAction}>
          {dialogTitle}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
