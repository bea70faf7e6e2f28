import { useLingui } from '@lingui/react/macro'
import type { ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import { Notice } from '../../../kit/page/states.tsx'
import { useDefaultViews, useSetDefaultView } from '../queries.ts'
import styles from './saved-views.module.css'

/** Says that the view with which a screen opened is not there any more, until one has read it or made another the default. */
export function DefaultViewGone({ screen }: { screen: ViewScreen }) {
  const { t } = useLingui()
  const toast = useToast()
  const set = useSetDefaultView()
  const lost = useDefaultViews().views.find((one) => one.screen === screen && one.view === null)
  const name = lost?.name ?? ''
  const dismiss = () =>
    set.mutate(
      { screen, viewId: null },
      {
        // The button goes with the message.
        onSuccess: () => focusTitle(),
        onError: (error) => toast('error', t(getProblemMessage(error))),
      },
    )
  return (
    <div role="status" className={lost && styles.gone}>
      {lost && (
        <Notice
          kind="caution"
          title={
            lost.isDeleted
              ? t`Your default view “${name}” was deleted.`
              : t`Your default view “${name}” is no longer shared with you.`
          }
        >
          <p>{t`This list opens without a view until you choose another.`}</p>
          <div>
            <Button small pending={set.isPending} onPress={dismiss}>{t`Dismiss`}</Button>
          </div>
        </Notice>
      )}
    </div>
  )
}
