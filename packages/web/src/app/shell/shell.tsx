import { useLingui } from '@lingui/react/macro'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState, Suspense, lazy } from 'react'
import { Button } from '../../kit/control/button.tsx'
import { listenForShortcuts } from '../../kit/keyboard/shortcuts.ts'
import { ToastRegion } from '../../kit/dialog/toast.tsx'
import { withLaterTexts } from '../../kit/text/later-texts.ts'
import { useSession } from '../../monitor/user/model.ts'
import { FirstLogin } from '../session/first-login.tsx'
import { Header } from './header.tsx'
import { Notices } from './notices.tsx'
import styles from './shell.module.css'

const ShortcutsDialog = lazy(() =>
  withLaterTexts(import('../../kit/keyboard/help-dialog.tsx')).then((m) => ({ default: m.ShortcutsDialog })),
)

/** Listens for shortcuts, and opens the list of them. */
function Shortcuts() {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  useEffect(listenForShortcuts, [])
  return (
    <>
      <Button
        kind="quiet"
        small
        shortcut="help"
        onPress={() => setOpen(true)}
      >{t`Keyboard shortcuts`}</Button>
      {open && (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Apart from what it holds and stands beside, which need not be drawn when a URL loads. */
function Main({ children }: { children: ReactNode }) {
  const loading = useRouterState({ select: (state) => state.isLoading })
  return (
    <main id="main" className={styles.main} tabIndex={-1} aria-busy={loading}>
      {children}
    </main>
  )
}

/** What surrounds every screen: skip link, header, main column with messages, footer. */
export function Shell() {
  const { t } = useLingui()
  const { config } = useSession()
  const { productName, version, build } = config
  return (
    <>
      <a className={styles.skip} href="#main">{t`Skip to main content`}</a>
      <Header />
      <Main>
        <ToastRegion />
        <Notices />
        <Outlet />
      </Main>
      <FirstLogin />
      <footer className={styles.footer}>
        <div>
          <span>{t`${productName} ${version} (build ${build})`}</span>
          <span>{t`Free software under the Apache License 2.0`}</span>
          <span className={styles.links}>
            <Shortcuts />
            <Link to="/accessibility">{t`Accessibility statement`}</Link>
            {config.supportUrl && <a href={config.supportUrl}>{t`Support`}</a>}
          </span>
        </div>
      </footer>
    </>
  )
}
