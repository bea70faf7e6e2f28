import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { ApiError } from '../client/client.ts'
import { useFormats } from '../text/format.ts'
import { Icon } from '../control/icon.tsx'
import { focusTitle } from './focus-title.ts'
import layout from './layout.module.css'
import { getFieldErrorMessage, getProblemMessage } from '../client/problem-text.ts'
import { getFieldErrors } from '../client/field-errors.ts'
import styles from './states.module.css'

type SkeletonProps = {
  label: string
  lines?: number
  /** True if the content fills most of the screen. Content below it is then out of view and cannot jump. */
  fillsScreen?: boolean
}

/** Placeholder during the first load; announced after a second. */
export function Skeleton({ label, fillsScreen = false, lines = fillsScreen ? 25 : 6 }: SkeletonProps) {
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    const announceTimer = setTimeout(() => setAnnouncement(label), 1000)
    return () => clearTimeout(announceTimer)
  }, [label])
  return (
    <div className={`${layout.card} ${styles.skeleton} ${fillsScreen ? styles.screen : ''}`}>
      <p role="status" className={layout.hidden}>
        {announcement}
      </p>
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} aria-hidden="true" />
      ))}
    </div>
  )
}

export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <div className={styles.text}>{children}</div>
      {action && <div className={layout.row}>{action}</div>}
    </div>
  )
}

type ErrorCardProps = {
  /** The failed action, as a sentence. */
  title: string
  error: unknown
  onRetry?: () => void
}

/** Failure of one card, with a way to continue and details for an administrator. */
export function ErrorCard({ title, error, onRetry }: ErrorCardProps) {
  const { t } = useLingui()
  const isSignedOut = error instanceof ApiError && error.status === 401
  const cardRef = useRef<HTMLDivElement>(null)
  // After a successful retry the card and its focused button disappear.
  useLayoutEffect(() => {
    const cardElement = cardRef.current
    return () => {
      if (!cardElement?.contains(document.activeElement)) return
      // A dialog that is closing restores the focus itself and cannot take it.
      const dialogElement = cardElement.closest<HTMLElement>('[role=dialog], [role=alertdialog]')
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return
        if (dialogElement) dialogElement.focus({ preventScroll: true })
        else focusTitle({ preventScroll: true })
      })
    }
  }, [])
  return (
    <div ref={cardRef} className={`${layout.card} ${styles.error}`} role="alert">
      <Icon name="stopSign" />
      <div className={layout.tight}>
        <p className={layout.strong}>{title}</p>
        <p>{t(getProblemMessage(error))}</p>
        <RefusedValueList error={error} />
        <div className={layout.row}>
          {/* Loading the application leads to the sign-in and back. Unsaved changes block it first. */}
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
  /** Announced to screen readers during a longer load. */
  loadingLabel: string
  failureTitle: string
  fillsScreen?: boolean
  lines?: number
}

/** Loading or error state of a query without data. */
export function QueryState({ query, loadingLabel, failureTitle, ...skeletonSize }: QueryStateProps) {
  return (
    <>
      {query.isPending && <Skeleton label={loadingLabel} {...skeletonSize} />}
      {query.isError && <ErrorCard title={failureTitle} error={query.error} onRetry={() => void query.refetch()} />}
    </>
  )
}

/** Refused values without a form field, one sentence each. */
function RefusedValueList({ error }: { error: unknown }) {
  const { t } = useLingui()
  const fieldErrors = getFieldErrors(error).filter(({ path }) => path !== '')
  if (fieldErrors.length === 0) return null
  return (
    <ul className={styles.refused}>
      {fieldErrors.map(({ path, code, params }) => {
        const errorText = t(getFieldErrorMessage(code, params))
        return <li key={path}>{t`The value “${path}”: ${errorText}`}</li>
      })}
    </ul>
  )
}

function ErrorDetails({ error }: { error: unknown }) {
  const { t } = useLingui()
  const { formatDateTime } = useFormats()
  const [occurredAt] = useState(() => new Date().toISOString())
  const [isCopied, setIsCopied] = useState(false)
  const problem = error instanceof ApiError ? error.problem : null
  const detailLines = [
    problem?.code ?? (error instanceof Error ? error.message : String(error)),
    problem?.detail,
    formatDateTime(occurredAt),
    problem?.requestId,
  ].filter((line) => line !== undefined)
  const copyDetails = () =>
    navigator.clipboard.writeText(detailLines.join('\n')).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    )
  return (
    <details className={styles.details}>
      <summary>{t`Details for support`}</summary>
      <pre lang="en">{detailLines.join('\n')}</pre>
      <Button small icon="copy" onPress={() => void copyDetails()}>
        {isCopied ? t`Copied` : t`Copy`}
      </Button>
    </details>
  )
}

type NoticeProps = { kind: 'info' | 'caution' | 'error'; title: string; children?: ReactNode }
const noticeIcons = { info: 'info', caution: 'warning', error: 'stopSign' } as const

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

/** Placeholder for an unknown number: a visible dash and a spoken label. One element, because a list may have thousands. */
export function UnknownValue({ label }: { label: string }) {
  return (
    <span className={layout.muted} role="img" aria-label={label}>
      –
    </span>
  )
}
