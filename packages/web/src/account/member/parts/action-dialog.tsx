import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { Person } from '@clearway/contract/account/member/schema.ts'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { ErrorCard } from '../../../kit/page/states.tsx'
import type { PersonAction } from '../queries.ts'
import { usePeopleActions } from '../queries.ts'
import { nameOfPerson } from '../../../kit/text/person.ts'

type Words = { title: MessageDescriptor; what: MessageDescriptor; done: MessageDescriptor }

const words: Record<PersonAction, Words> = {
  deactivate: {
    title: msg`Deactivate`,
    what: msg`They are signed out at once, and cannot sign in. Their API keys and email notifications end. What they did is kept, and they can be reactivated.`,
    done: msg`Deactivated`,
  },
  reactivate: {
    title: msg`Reactivate`,
    what: msg`They can sign in again, with the same password, role and teams. They need new API keys.`,
    done: msg`Reactivated`,
  },
  delete: {
    title: msg`Delete`,
    what: msg`Their account, teams and API keys are deleted. What they did is kept under the name “Former member”. This cannot be undone.`,
    done: msg`Deleted`,
  },
  'end-sessions': {
    title: msg`Sign out everywhere`,
    what: msg`They have to sign in again on every device. API keys keep working.`,
    done: msg`Signed out everywhere`,
  },
  'remove-second-factor': {
    title: msg`Remove second factor`,
    what: msg`Their authenticator app and recovery codes stop working, and they are signed out everywhere. Their password alone signs in until they set up another second factor.`,
    done: msg`Second factor removed`,
  },
}

type Props = { person: Person; action: PersonAction; onClose: () => void }

/** Asks before something is done to somebody's account, and says what it takes away. */
export function ActionDialog({ person, action, onClose }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { act } = usePeopleActions()
  const name = nameOfPerson(person)
  const { title, what, done } = words[action]
  const heading = t(title)
  const run = () =>
    act.mutate(
      { id: person.id, action },
      {
        onSuccess: () => {
          onClose()
          const word = t(done)
          toast('confirmation', t`${name}: ${word}`)
        },
      },
    )
  return (
    <Dialog alert title={t`${name}: ${heading}`} onClose={onClose}>
      {act.error && <ErrorCard title={t`This could not be done.`} error={act.error} />}
      <p>{t(what)}</p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind={action === 'reactivate' ? 'primary' : 'danger'} pending={act.isPending} onPress={run}>
          {heading}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
