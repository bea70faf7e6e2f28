import { useLingui } from '@lingui/react/macro'
import type { ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import { Notice } from '../../../kit/page/states.tsx'
import { useDefaultViews, useSetDefaultView } from '../queries.ts'
import styles from './saved-views.module.css'

/** Reports that the default view of a screen no longer exists, until it is dismissed or another default is set. */
export function MissingDefaultView({ screen }: { screen: ViewScreen }) {
  const { t } = useLingui()
  const showError = useShowError()
  const defaultViewMutation = useSetDefaultView()
  const missingView = useDefaultViews().views.find((candidate) => candidate.screen === screen && candidate.view === null)
  const viewName = missingView?.name ?? ''
  const dismissNotice = () =>
    defaultViewMutation.mutate(
      { screen, viewId: null },
      {
        // Dismissing removes the button together with the message.
        onSuccess: () => focusTitle(),
        onError: showError,
      },
    )
  return (
    <div role="status" className={missingView && styles.gone}>
      {missingView && (
        <Notice
          kind="caution"
          title={
            missingView.isDeleted
              ? t`Your default view “${viewName}” was deleted.`
              : t`Your default view “${viewName}” is no longer shared with you.`
          }
        >
          <p>{t`This list opens without a view until you choose another.`}</p>
          <div>
            <Button small pending={defaultViewMutation.isPending} onPress={dismissNotice}>{t`Dismiss`}</Button>
          </div>
        </Notice>
      )}
    </div>
  )
}
