import type { ReactNode } from 'react'
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import type { IconName } from '../control/icon.tsx'
import { Icon } from '../control/icon.tsx'
import hidden from '../page/layout.module.css'
import styles from './toast.module.css'
import { focusTitle } from '../page/focus-title.ts'

export type ToastKind = 'info' | 'confirmation' | 'caution' | 'error'
type Toast = { id: number; kind: ToastKind; text: string; undo: (() => void) | undefined }
/** `undo` takes back what the message reports. */
type Show = (kind: ToastKind, text: string, undo?: () => void) => void

const looks = {
  info: { icon: 'info', word: msg`Note` },
  confirmation: { icon: 'check', word: msg`Done` },
  caution: { icon: 'warning', word: msg`Caution` },
  error: { icon: 'stopSign', word: msg`Error` },
} as const satisfies Record<ToastKind, { icon: IconName; word: unknown }>
/** These move nothing: the focus stays where it is. Cautions and errors take it, and stay until they are closed. */
const passing: readonly ToastKind[] = ['info', 'confirmation']
const stays = ({ kind, undo }: Toast): boolean => undo === undefined || !passing.includes(kind)
const shownMs = 10_000
const goneMs = 200

const ToastContext = createContext<Show>(() => undefined)
/**
 * A function that shows a message; messages queue, one is seen at a time. One that can be undone replaces an earlier one: Undo
 * takes back what was done last, however quickly somebody works.
 */
export const useToast = (): Show => useContext(ToastContext)

const isTyping = (element: Element | null): boolean =>
  element instanceof HTMLElement &&
  element.matches('input:not([type=checkbox],[type=radio]), textarea, [contenteditable]')

/** Keeps the queue. Somebody who is typing is not interrupted: what takes the focus waits until the field is left. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<readonly Toast[]>([])
  const [typing, setTyping] = useState(false)
  const lastId = useRef(0)
  const show = useCallback<Show>((kind, text, undo) => {
    setTyping(isTyping(document.activeElement))
    const id = ++lastId.current
    setQueue((waiting) => [...(undo ? waiting.filter(stays) : waiting), { id, kind, text, undo }])
  }, [])
  useEffect(() => {
    if (!typing) return
    const left = () => setTyping(false)
    // A field that is taken off the page with its dialog is left without a word.
    const gone = setInterval(() => !isTyping(document.activeElement) && left(), goneMs)
    document.addEventListener('focusout', left)
    return () => {
      clearInterval(gone)
      document.removeEventListener('focusout', left)
    }
  }, [typing])
  const value = useMemo(
    () => ({
      current: queue[0] && typing && !passing.includes(queue[0].kind) ? undefined : queue[0],
      next: (id: number) => setQueue((waiting) => waiting.filter((one) => one.id !== id)),
    }),
    [queue, typing],
  )
  return (
    <ToastContext value={show}>
      <ToastState value={value}>{children}</ToastState>
    </ToastContext>
  )
}

const ToastState = createContext<{ current: Toast | undefined; next: (id: number) => void }>({
  current: undefined,
  next: () => undefined,
})

/** Where messages appear: over the lower edge of the window, so that nothing moves. */
export function ToastRegion() {
  const { t } = useLingui()
  const { current, next } = useContext(ToastState)
  return (
    <div role="region" aria-live="polite" aria-label={t`Messages`} className={styles.region}>
      {current && <ToastBox key={current.id} toast={current} onClose={next} />}
    </div>
  )
}

function ToastBox({ toast, onClose }: { toast: Toast; onClose: (id: number) => void }) {
  const { t } = useLingui()
  const box = useRef<HTMLDivElement>(null)
  const before = useRef<Element | null>(null)
  const [held, setHeld] = useState(false)
  const look = looks[toast.kind]
  const close = useCallback(() => {
    const hadFocus = box.current?.contains(document.activeElement)
    onClose(toast.id)
    if (hadFocus) giveBack(before.current)
  }, [onClose, toast.id])
  useEffect(() => {
    before.current = document.activeElement
    // Where the focus went away with a dialog or a row, the message is where one goes on.
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost || !passing.includes(toast.kind)) box.current?.focus({ preventScroll: true })
    const element = box.current
    // Whoever reads or uses it is given the time: the pointer over it, or the focus inside.
    const hold = (event: Event) => setHeld(event.target !== element || event.type === 'pointerenter')
    const isInside = (focused: EventTarget | null) =>
      focused instanceof Node && focused !== element && element?.contains(focused) === true
    const leave = () => setHeld(isInside(document.activeElement))
    const blur = ({ relatedTarget }: FocusEvent) => {
      // Whoever goes to another window comes back to it.
      if (document.hasFocus()) setHeld(element?.matches(':hover') === true || isInside(relatedTarget))
    }
    element?.addEventListener('pointerenter', hold)
    element?.addEventListener('focusin', hold)
    element?.addEventListener('pointerleave', leave)
    element?.addEventListener('focusout', blur)
    return () => {
      element?.removeEventListener('pointerenter', hold)
      element?.removeEventListener('focusin', hold)
      element?.removeEventListener('pointerleave', leave)
      element?.removeEventListener('focusout', blur)
    }
  }, [toast.kind])
  useEffect(() => {
    if (held || !passing.includes(toast.kind)) return
    const timer = setTimeout(close, shownMs)
    return () => clearTimeout(timer)
  }, [held, toast.kind, close])
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-label={`${t(look.word)}: ${toast.text}`}
      className={`${styles.toast} ${styles[toast.kind]}`}
    >
      <Icon name={look.icon} />
      <p>
        <span className={hidden.strong}>{t(look.word)}</span> {toast.text}
      </p>
      {toast.undo && (
        <Button small onPress={() => (toast.undo?.(), close())}>
          {t`Undo`}
        </Button>
      )}
      <Button kind="quiet" small square icon="close" label={t`Close message`} onPress={close} />
    </div>
  )
}

/** Focus goes back to where it was, or to the title when that is gone. */
function giveBack(element: Element | null): void {
  if (element instanceof HTMLElement && element.isConnected && element !== document.body)
    element.focus({ preventScroll: true })
  else focusTitle({ preventScroll: true })
}
