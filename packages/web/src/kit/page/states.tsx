import type { ReactNode } from 'react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { ApiError } from '../client/client.ts'
import { useFormats } from '../text/format.ts'
import { Icon } from '../control/icon.tsx'
import { focusTitle } from './focus-title.ts'
import layout from './layout.module.css'
import { getFieldErrorMessage, getProblemMessage } from '../client/problem-text.ts'
import { getFieldErrors } from '../client/refusal.ts'
import styles from './states.module.css'

type SkeletonProps = {
  label: string
  lines?: number
  /** What is coming is most of a screen: what is below it is out of sight meanwhile, and need not jump there. */
  screen?: boolean
}

/** The shape of what is coming, while it comes the first time; said in words after a second. */
export function Skeleton({ label, screen = false, lines = screen ? 25 : 6 }: SkeletonProps) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(label), 1000)
    return () => clearTimeout(timer)
  }, [label])
  return (
    <div className={`${layout.card} ${styles.skeleton} ${screen ? styles.screen : ''}`}>
      <p role="status" className={layout.hidden}>
        {said}
      </p>
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} aria-hidden="true" />
      ))}
    </div>
  )
}

/** What would stand here, why it does not, and the one thing to do. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <div className={styles.text}>{children}</div>
      {action && <div className={layout.row}>{action}</div>}
    </div>
  )
}

type ErrorProps = {
  /** What failed, as a sentence. */
  title: string
  error: unknown
  onRetry?: () => void
}

/** What failed in one card, how to go on, and what to tell an administrator. */
export function ErrorCard({ title, error, onRetry }: ErrorProps) {
  const { t } = useLingui()
  const isSignedOut = error instanceof ApiError && error.status === 401
  const card = useRef<HTMLDivElement>(null)
  // Tried again with success, it goes away with the button that was pressed.
  useLayoutEffect(() => {
    const shown = card.current
    return () => {
      if (!shown?.contains(document.activeElement)) return
      // A dialog that closes gives the focus back itself: one that is gone takes none.
      const dialog = shown.closest<HTMLElement>('[role=dialog], [role=alertdialog]')
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return
        if (dialog) dialog.focus({ preventScroll: true })
        else focusTitle({ preventScroll: true })
      })
    }
  }, [])
  return (
    <div ref={card} className={`${layout.card} ${styles.error}`} role="alert">
      <Icon name="stopSign" />
      <div className={layout.tight}>
        <p className={layout.strong}>{title}</p>
        <p>{t(getProblemMessage(error))}</p>
        <RefusedValues error={error} />
        <div className={layout.row}>
          {/* The start of the application leads to the sign-in and back here; what was typed asks before it goes. */}
          {isSignedOut && <Button small onPress={() => location.reload()}>{t`Sign in`}</Button>}
          {onRetry && <Button small onPress={onRetry}>{t`Try again`}</Button>}
        </div>
        <ErrorDetails error={error} />
      </div>
    </div>
  )
}

type QueryStateProps = {
  query: { isPending: boolean; isError: boolean; error: unknown; refetch: () => unknown }
  /** Said to screen readers while it takes a while. */
  loading: string
  failed: string
  screen?: boolean
  lines?: number
}

/** What is here of a query before there is an answer: that it is awaited, or that it failed. */
export function QueryState({ query, loading, failed, ...size }: QueryStateProps) {
  return (
    <>
      {query.isPending && <Skeleton label={loading} {...size} />}
      {query.isError && <ErrorCard title={failed} error={query.error} onRetry={() => void query.refetch()} />}
    </>
  )
}

/** Values that the server refused and that are in no field: each as a sentence. */
function RefusedValues({ error }: { error: unknown }) {
  const { t } = useLingui()
  const refused = getFieldErrors(error).filter(({ path }) => path !== '')
  if (refused.length === 0) return null
  return (
    <ul className={styles.refused}>
      {refused.map(({ path, code, params }) => {
        const why = t(getFieldErrorMessage(code, params))
        return <li key={path}>{t`The value “${path}”: ${why}`}</li>
      })}
    </ul>
  )
}

function ErrorDetails({ error }: { error: unknown }) {
  const { t } = useLingui()
  const { dateTime } = useFormats()
  const [at] = useState(() => new Date().toISOString())
  const [copied, setCopied] = useState(false)
  const problem = error instanceof ApiError ? error.problem : null
  const lines = [
    problem?.code ?? (error instanceof Error ? error.message : String(error)),
    problem?.detail,
    dateTime(at),
    problem?.requestId,
  ].filter((line) => line !== undefined)
  const copy = () =>
    navigator.clipboard.writeText(lines.join('\n')).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <details className={styles.details}>
      <summary>{t`Details for support`}</summary>
      <pre lang="en">{lines.join('\n')}</pre>
      <Button small icon="copy" onPress={() => void copy()}>
        {copied ? t`Copied` : t`Copy`}
      </Button>
    </details>
  )
}

type NoticeProps = { kind: 'info' | 'caution' | 'error'; title: string; children?: ReactNode }
const noticeIcons = { info: 'info', caution: 'warning', error: 'stopSign' } as const

/** Something that everybody on this page should know before reading on. */
export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[kind]}`}>
      <Icon name={noticeIcons[kind]} />
      <div className={layout.tight}>
        <p className={layout.strong}>{title}</p>
        {children}
      </div>
    </div>
  )
}

/** An unknown number: a dash to see, words to hear. One element: a list may have thousands. */
export function Unknown({ label }: { label: string }) {
  return (
    <span className={layout.muted} role="img" aria-label={label}>
      –
    </span>
  )
}
