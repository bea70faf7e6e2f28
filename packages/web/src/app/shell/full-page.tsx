import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { Button } from '../../kit/control/button.tsx'
import { ProductMark } from '../../kit/control/icon.tsx'
import { getProblemMessage } from '../../kit/client/problem-text.ts'
import type { Start } from '../session/boot.ts'
import styles from './full-page.module.css'

type Props = { state: Exclude<Start, { kind: 'ready' | 'docs' }> | undefined; onRetry: () => void }

/** What is seen instead of the application: while it starts, and when it cannot. */
export function FullPage({ state, onRetry }: Props) {
  const { title, text, action } = useWords(state, onRetry)
  const name = state && 'config' in state ? state.config.productName : ''
  useEffect(() => {
    document.title = name ? `${title} – ${name}` : title
  }, [title, name])
  return (
    <main className={styles.page}>
      <div
        className={styles.box}
        role={state && state.kind !== 'leaving' ? 'group' : 'status'}
        aria-labelledby="full-title"
      >
        <p className={styles.brand}>
          <ProductMark /> {name}
        </p>
        <h1 id="full-title">{title}</h1>
        {text && <p>{text}</p>}
        {action}
      </div>
    </main>
  )
}

type Words = { title: string; text?: string; action?: ReactNode }

function useWords(state: Props['state'], onRetry: () => void): Words {
  const { t } = useLingui()
  const retry = <Button kind="primary" onPress={onRetry}>{t`Try again`}</Button>
  if (!state) return { title: t`Loading` }
  switch (state.kind) {
    case 'config-failed':
      return {
        title: t`The application cannot start`,
        text: t`Its configuration could not be loaded. Check that the server runs and that you are connected.`,
        action: retry,
      }
    case 'maintenance':
      return {
        title: t`Our system is currently undergoing maintenance.`,
        text: t`Nothing is lost. This page checks again every 15 seconds and continues automatically.`,
        action: retry,
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
        text: t`It was stopped or has ended. Ask whoever sent it for a new one.`,
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
