import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect } from 'react'
import { Button } from '../../kit/control/button.tsx'
import { ProductMark } from '../../kit/control/icon.tsx'
import { getProblemMessage } from '../../kit/client/problem-text.ts'
import type { StartResult } from '../session/boot.ts'
import styles from './full-page.module.css'

type FullPageProps = { state: Exclude<StartResult, { kind: 'ready' | 'docs' }> | undefined; onRetry: () => void }

/** Replaces the application while it starts and if the start fails. */
export function FullPage({ state, onRetry }: FullPageProps) {
  const { title: pageTitle, text: bodyText, action: pageAction } = useFullPageContent(state, onRetry)
  const productName = state && 'config' in state ? state.config.productName : ''
  useEffect(() => {
    document.title = productName ? `${pageTitle} – ${productName}` : pageTitle
  }, [pageTitle, productName])
  return (
    <main className={styles.page}>
      <div className={styles.box} role={state && state.kind !== 'leaving' ? 'group' : 'status'} aria-labelledby="full-title">
        <p className={styles.brand}>
          <ProductMark /> {productName}
        </p>
        <h1 id="full-title">{pageTitle}</h1>
        {bodyText && <p>{bodyText}</p>}
        {pageAction}
      </div>
    </main>
  )
}

type FullPageContent = { title: string; text?: string; action?: ReactNode }

function useFullPageContent(state: FullPageProps['state'], onRetry: () => void): FullPageContent {
  const { t } = useLingui()
  const retryButton = <Button kind="primary" onPress={onRetry}>{t`Try again`}</Button>
  if (!state) return { title: t`Loading` }
  switch (state.kind) {
    case 'config-failed':
      return {
        title: t`The application cannot start`,
        text: t`Its configuration could not be loaded. Check that the server runs and that you are connected.`,
        action: retryButton,
      }
    case 'maintenance':
      return {
        title: t`Our system is currently undergoing maintenance.`,
        text: t`Nothing is lost. This page checks again every 15 seconds and continues automatically.`,
        action: retryButton,
      }
    case 'insecure':
      return {
        title: t`This URL is not secure`,
        text: t`Browsers allow sign-in only over https, or on localhost. Open the application at such a URL.`,
      }
    case 'auth-failed':
      return {
        title: t`Failed to initialize auth`,
        text: t(getProblemMessage(state.error)),
        action: <Button kind="primary" onPress={state.login}>{t`Sign in`}</Button>,
      }
    case 'signed-out':
      return {
        title: t`You are signed out`,
        action: <Button kind="primary" onPress={state.login}>{t`Sign in`}</Button>,
      }
    case 'guest-refused':
      return {
        title: t`This link no longer works`,
        text: t`It was stopped or has ended. Ask the sender for a new one.`,
        action: <Button kind="primary" onPress={state.login}>{t`Sign in`}</Button>,
      }
    case 'leaving':
      return { title: t`Taking you to the sign-in` }
    case 'unauthorized':
      return {
        title: t`Unauthorized`,
        text: t`You are signed in, but your account has no access to this product. Ask your administrator for access.`,
        action: <Button kind="primary" onPress={state.logout}>{t`Log out`}</Button>,
      }
  }
}
