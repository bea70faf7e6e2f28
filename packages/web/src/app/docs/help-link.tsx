import { useLingui } from '@lingui/react/macro'
import { useRouterState } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { Button, getButtonClass } from '../../kit/control/button.tsx'
import { Icon } from '../../kit/control/icon.tsx'
import { withLaterTexts } from '../../kit/text/later-texts.ts'
import { docsUrlOf } from '../../monitor/config/model-docs.ts'
import { useSession } from '../../monitor/user/model.ts'

const HelpDialog = lazy(() =>
  withLaterTexts(import('./help-dialog.tsx')).then((m) => ({ default: m.HelpDialog })),
)

/** Leads to the page of the documentation on the screen that is open; without documentation, says what the screen is for. */
export function HelpLink() {
  const { t } = useLingui()
  const { config } = useSession()
  const key = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.help ?? 'start' })
  const [open, setOpen] = useState(false)
  if (config.helpDocsUrl)
    return (
      <a className={getButtonClass({ kind: 'quiet', small: true })} href={docsUrlOf(config, key)}>
        <Icon name="help" />
        {t`Help`}
      </a>
    )
  return (
    <>
      <Button kind="quiet" small icon="help" onPress={() => setOpen(true)}>{t`Help`}</Button>
      {open && (
        <Suspense fallback={null}>
          <HelpDialog screen={key} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
