import { useLingui } from '@lingui/react/macro'
import { Link, Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState, Suspense, lazy } from 'react'
import { Button } from '../../kit/control/button.tsx'
import { focusAdjacentRow, listenForShortcuts } from '../../kit/keyboard/shortcuts.ts'
import { DeferredContent } from '../../kit/page/deferred-content.tsx'
import { ToastRegion } from '../../kit/dialog/toast.tsx'
import { withDeferredTexts } from '../../kit/text/deferred-texts.ts'
import { useSession } from '../../monitor/user/model.ts'
import { FirstLogin } from '../session/first-login.tsx'
import { FullPage } from './full-page.tsx'
import { Header } from './header.tsx'
import { GlobalNotices } from './notices.tsx'
import styles from './shell.module.css'

const ShortcutsDialog = lazy(() =>
  withDeferredTexts(import('../../kit/keyboard/help-dialog.tsx')).then((module) => ({ default: module.ShortcutsDialog })),
)

function ShortcutListener() {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(listenForShortcuts, [])
  return (
    <>
      <Button kind="quiet" small shortcut="help" onPress={() => setIsOpen(true)}>{t`Keyboard shortcuts`}</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Separate component: its content and siblings do not render again while a URL loads. */
function MainColumn({ children }: { children: ReactNode }) {
  const isLoading = useRouterState({ select: (state) => state.isLoading })
  return (
    <main id="main" className={styles.main} tabIndex={-1} aria-busy={isLoading}>
      {children}
    </main>
  )
}

/** Screens of signed-in users: they lead a guest to the shared scan. */
const personalPaths = /^\/(inbox|account|api-keys|webhooks|ignored)/

function Screen() {
  const { guestScan } = useSession()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return guestScan && personalPaths.test(pathname) ? (
    <Navigate to="/scans/$scanId" params={{ scanId: guestScan }} replace />
  ) : (
    <Outlet />
  )
}

/** Frame of every screen: skip link, header, main column with messages, footer. */
export const AppShell = () => (
  <DeferredContent placeholder={<FullPage state={undefined} onRetry={() => {}} />}>
    <ShellContent />
  </DeferredContent>
)

function ShellContent() {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  const { productName, version: productVersion, build: buildId } = appConfig
  return (
    <>
      <a className={styles.skip} href="#main">{t`Skip to main content`}</a>
      <button type="button" className={`${styles.skip} ${styles.skipToList}`} onClick={() => focusAdjacentRow(1)}>
        {t`Skip to the list`}
      </button>
      <Header />
      <MainColumn>
        <ToastRegion />
        <GlobalNotices />
        <Screen />
      </MainColumn>
      <FirstLogin />
      <footer className={styles.footer}>
        <div>
          <span>{t`${productName} ${productVersion} (build ${buildId})`}</span>
          <span>{t`© ${productName} contributors, Apache License 2.0`}</span>
          <span className={styles.links}>
            <ShortcutListener />
            <Link to="/accessibility">{t`Accessibility statement`}</Link>
            {appConfig.supportUrl && <a href={appConfig.supportUrl}>{t`Support`}</a>}
          </span>
        </div>
      </footer>
    </>
  )
}
