import { useLingui } from '@lingui/react/macro'
import { useRouterState } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { Button, getButtonClass } from '../../kit/control/button.tsx'
import { Icon } from '../../kit/control/icon.tsx'
import { withDeferredTexts } from '../../kit/text/deferred-texts.ts'
import { buildDocsUrl } from '../../monitor/config/model-docs.ts'
import { useSession } from '../../monitor/user/model.ts'

const HelpDialog = lazy(() => withDeferredTexts(import('./help-dialog.tsx')).then((module) => ({ default: module.HelpDialog })))

/** Opens the documentation of the current screen. Without documentation, explains the screen's purpose in a dialog. */
export function HelpLink() {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  const helpKey = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.help ?? 'start' })
  const [isOpen, setIsOpen] = useState(false)
  if (appConfig.helpDocsUrl)
    return (
      <a className={getButtonClass({ kind: 'quiet', small: true })} href={buildDocsUrl(appConfig, helpKey)}>
        <Icon name="help" />
        {t`Help`}
      </a>
    )
  return (
    <>
      <Button kind="quiet" small icon="help" onPress={() => setIsOpen(true)}>{t`Help`}</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <HelpDialog screen={helpKey} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
