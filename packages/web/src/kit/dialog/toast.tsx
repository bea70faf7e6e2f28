import { type ReactNode, createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { CopyButton } from '../control/copy-button.tsx'
import { type IconName, Icon } from '../control/icon.tsx'
import { ApiError } from '../client/client.ts'
import hidden from '../page/layout.module.css'
import styles from './toast.module.css'
import { focusTitle } from '../page/focus-title.ts'

export type ToastKind = 'info' | 'confirmation' | 'caution' | 'error'
type ToastMessage = {
  id: number
  kind: ToastKind
  text: string
  undo: (() => void) | undefined
  requestId: string | undefined
}
/** The extra is a function that reverts the reported change, or the error of a message, whose request can be named to support. */
type ShowToast = (kind: ToastKind, text: string, extra?: (() => void) | { error: unknown }) => void

const toastStyles = {
  info: { icon: 'info', word: msg`Note` },
  confirmation: { icon: 'check', word: msg`Done` },
  caution: { icon: 'warning', word: msg`Caution` },
  error: { icon: 'stopSign', word: msg`Error` },
} as const satisfies Record<ToastKind, { icon: IconName; word: unknown }>
/** Kinds that close by themselves and never move the focus. Cautions and errors take the focus and stay until closed. */
const transientKinds: readonly ToastKind[] = ['info', 'confirmation']
const shouldStayQueued = ({ kind, undo }: ToastMessage): boolean => undo === undefined || !transientKinds.includes(kind)
const displayDurationMs = 10_000
const blurCheckIntervalMs = 200

const ToastContext = createContext<ShowToast>(() => undefined)
/** Returns a function that queues a message. An undoable message replaces earlier ones: Undo reverts the latest change. */
export const useToast = (): ShowToast => useContext(ToastContext)

const isTextField = (element: Element | null): boolean =>
  element instanceof HTMLElement && element.matches('input:not([type=checkbox],[type=radio]), textarea, [contenteditable]')

/** Holds the message queue. Messages that take the focus wait until the user leaves the text field. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messageQueue, setMessageQueue] = useState<readonly ToastMessage[]>([])
  const [isUserTyping, setIsUserTyping] = useState(false)
  const lastMessageId = useRef(0)
  const showMessage = useCallback<ShowToast>((kind, text, extra) => {
    const undo = typeof extra === 'function' ? extra : undefined
    const requestId = typeof extra === 'object' ? getRequestId(extra.error) : undefined
    setIsUserTyping(isTextField(document.activeElement))
    const messageId = ++lastMessageId.current
    setMessageQueue((queued) => [
      ...(undo ? queued.filter(shouldStayQueued) : queued),
      { id: messageId, kind, text, undo, requestId },
    ])
  }, [])
  useEffect(() => {
    if (!isUserTyping) return
    const onFieldLeft = () => setIsUserTyping(false)
    // A field that is removed with its dialog fires no focusout event.
    const removalTimer = setInterval(() => !isTextField(document.activeElement) && onFieldLeft(), blurCheckIntervalMs)
    document.addEventListener('focusout', onFieldLeft)
    return () => {
      clearInterval(removalTimer)
      document.removeEventListener('focusout', onFieldLeft)
    }
  }, [isUserTyping])
  const contextValue = useMemo(
    () => ({
      currentMessage:
        messageQueue[0] && isUserTyping && !transientKinds.includes(messageQueue[0].kind) ? undefined : messageQueue[0],
      dismissMessage: (id: number) => setMessageQueue((queued) => queued.filter((message) => message.id !== id)),
    }),
    [messageQueue, isUserTyping],
  )
  return (
    <ToastContext value={showMessage}>
      <ToastState value={contextValue}>{children}</ToastState>
    </ToastContext>
  )
}

const ToastState = createContext<{ currentMessage: ToastMessage | undefined; dismissMessage: (id: number) => void }>({
  currentMessage: undefined,
  dismissMessage: () => undefined,
})

/** Overlays messages at the bottom of the window so that the layout does not shift. */
export function ToastRegion() {
  const { t } = useLingui()
  const { currentMessage, dismissMessage } = useContext(ToastState)
  return (
    <div role="region" aria-live="polite" aria-label={t`Messages`} className={styles.region}>
      {currentMessage && <ToastBox key={currentMessage.id} toast={currentMessage} onClose={dismissMessage} />}
    </div>
  )
}

function ToastBox({ toast, onClose }: { toast: ToastMessage; onClose: (id: number) => void }) {
  const { t } = useLingui()
  const toastBoxRef = useRef<HTMLDivElement>(null)
  const previousFocusRef = useRef<Element | null>(null)
  const [isHeld, setIsHeld] = useState(false)
  const toastStyle = toastStyles[toast.kind]
  const closeToast = useCallback(() => {
    const hadFocusInside = toastBoxRef.current?.contains(document.activeElement)
    onClose(toast.id)
    if (hadFocusInside) restoreFocus(previousFocusRef.current)
  }, [onClose, toast.id])
  useEffect(() => {
    previousFocusRef.current = document.activeElement
    // If the focus was lost with a dialog or a row, it continues in the message.
    const isFocusLost = document.activeElement === null || document.activeElement === document.body
    if (isFocusLost || !transientKinds.includes(toast.kind)) toastBoxRef.current?.focus({ preventScroll: true })
    const toastElement = toastBoxRef.current
    // Keeps the message open while the pointer is over it or the focus is inside.
    const holdToast = (event: Event) => setIsHeld(event.target !== toastElement || event.type === 'pointerenter')
    const isInsideToast = (focused: EventTarget | null) =>
      focused instanceof Node && focused !== toastElement && toastElement?.contains(focused) === true
    const releaseToast = () => setIsHeld(isInsideToast(document.activeElement))
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      // Switching to another window does not release the message.
      if (document.hasFocus()) setIsHeld(toastElement?.matches(':hover') === true || isInsideToast(relatedTarget))
    }
    toastElement?.addEventListener('pointerenter', holdToast)
    toastElement?.addEventListener('focusin', holdToast)
    toastElement?.addEventListener('pointerleave', releaseToast)
    toastElement?.addEventListener('focusout', onFocusOut)
    return () => {
      toastElement?.removeEventListener('pointerenter', holdToast)
      toastElement?.removeEventListener('focusin', holdToast)
      toastElement?.removeEventListener('pointerleave', releaseToast)
      toastElement?.removeEventListener('focusout', onFocusOut)
    }
  }, [toast.kind])
  useEffect(() => {
    if (isHeld || !transientKinds.includes(toast.kind)) return
    const closeTimer = setTimeout(closeToast, displayDurationMs)
    return () => clearTimeout(closeTimer)
  }, [isHeld, toast.kind, closeToast])
  return (
    <div
      ref={toastBoxRef}
      tabIndex={-1}
      role="group"
      aria-label={`${t(toastStyle.word)}: ${toast.text}`}
      className={`${styles.toast} ${styles[toast.kind]}`}
    >
      <Icon name={toastStyle.icon} />
      <p>
        <span className={hidden.strong}>{t(toastStyle.word)}</span> {toast.text}
      </p>
      {toast.undo && (
        <Button small onPress={() => (toast.undo?.(), closeToast())}>
          {t`Undo`}
        </Button>
      )}
      {toast.requestId !== undefined && <CopyButton text={toast.requestId}>{t`Copy request ID`}</CopyButton>}
      <Button kind="quiet" small square icon="close" label={t`Close message`} onPress={closeToast} />
    </div>
  )
}

/** Returns the id under which the server logged a failed request. */
const getRequestId = (error: unknown): string | undefined => (error instanceof ApiError ? error.problem?.requestId : undefined)

/** Restores the focus, or moves it to the title if the element no longer exists. */
function restoreFocus(element: Element | null): void {
  if (element instanceof HTMLElement && element.isConnected && element !== document.body) element.focus({ preventScroll: true })
  else focusTitle({ preventScroll: true })
}
