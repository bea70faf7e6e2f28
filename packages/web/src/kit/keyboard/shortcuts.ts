import { type RefObject, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { readStoredValue, writeStoredValue } from '../client/storage.ts'

/** Every shortcut of one key, by what it does. */
export const shortcutKeys = {
  next: 'j',
  previous: 'k',
  status: 's',
  fixed: 'f',
  ignored: 'i',
  open: 'o',
  assignee: 'a',
  me: 'm',
  comment: 'c',
  search: '/',
  help: '?',
} as const
export type Shortcut = keyof typeof shortcutKeys

const listeners = new Set<() => void>()
const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
const stored = (): boolean => readStoredValue('shortcuts') !== 'off'

/** Whether shortcuts are on: whoever speaks to the computer, or is read to, may need the letters. */
export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, stored)
export function setShortcutsOn(on: boolean): void {
  writeStoredValue('shortcuts', on ? null : 'off')
  for (const changed of listeners) changed()
}

/** What makes a control answer to shortcuts: the attribute that informs assistive technology is also how it is found. */
export function useShortcut(...shortcuts: (Shortcut | undefined)[]): { 'aria-keyshortcuts'?: string } {
  const on = useShortcutsOn()
  const keys = shortcuts.flatMap((shortcut) => (shortcut ? [shortcutKeys[shortcut]] : []))
  return on && keys.length > 0 ? { 'aria-keyshortcuts': keys.join(' ') } : {}
}

export type QuickActions = Partial<Record<Shortcut, () => void>>
const quickEvent = 'quick-action'

/** Lets a control do more than its press: what it does at which of its shortcuts. */
export function useQuickActions(control: RefObject<HTMLElement | null>, actions: QuickActions): void {
  const act = useEffectEvent((event: Event) => {
    const key = (event as CustomEvent<string>).detail
    const shortcut = (Object.keys(actions) as Shortcut[]).find((one) => shortcutKeys[one] === key)
    if (!shortcut) return
    event.preventDefault()
    actions[shortcut]?.()
  })
  useEffect(() => {
    const element = control.current
    const listen = (event: Event) => act(event)
    element?.addEventListener(quickEvent, listen)
    return () => element?.removeEventListener(quickEvent, listen)
  }, [control])
}

const isVisible = (element: HTMLElement): boolean => element.checkVisibility({ visibilityProperty: true })
const isField = (element: Element | null): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=button])'))

/** The next or previous row of the first list, by the link that names each. */
function moveInRows(by: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('main [data-row-link] a')].filter(isVisible)
  const at = links.findIndex((link) => link === document.activeElement)
  const next = at < 0 ? links[0] : links[at + by]
  next?.focus()
  return next !== undefined
}

/** Does what a key stands for on this screen. @returns whether there was anything to do */
function press(key: string): boolean {
  const control = [
    ...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts~="${CSS.escape(key)}"]`),
  ].find(isVisible)
  if (control) {
    const isPress = control.dispatchEvent(new CustomEvent(quickEvent, { detail: key, cancelable: true }))
    if (!isPress) return true
    if (key === shortcutKeys.next || key === shortcutKeys.previous) leave(control)
    if (isField(control)) control.focus()
    else control.click()
    return true
  }
  if (key === shortcutKeys.next) return moveInRows(1)
  return key === shortcutKeys.previous && moveInRows(-1)
}

const longestWaitMs = 5000
/** The detail that a key has gone on from. */
let left: { shown: string; until: number } | null = null

/** Keys that wait for the detail that is on its way. */
let waiting: { key: string; until: number }[] = []

/** The next detail does not come: what was pressed for it must not meet the one that stays. */
export function stay(): void {
  left = null
  waiting = []
}

function leave(control: HTMLElement): void {
  const shown = control.closest<HTMLElement>('[data-detail]')?.dataset.detail
  if (shown && !control.matches(':disabled, [aria-disabled=true]'))
    left = { shown, until: performance.now() + longestWaitMs }
}

/** A detail is on its way: what is shown until then is another one, which a key must not change. */
function isLoading(): boolean {
  const detail = document.querySelector<HTMLElement>('[data-detail]')
  if (left && detail?.dataset.detail !== left.shown) left = null
  if (left && performance.now() > left.until) stay()
  return left !== null || detail?.matches('[aria-busy=true]') === true
}

/** Listens for shortcuts: not while somebody types, nor over a dialog or a menu, nor with another key held. */
export function listenForShortcuts(): () => void {
  let draining = false
  const drain = () => {
    const loading = isLoading()
    const next = waiting[0]
    draining = next !== undefined
    if (!next) return
    if (!loading) {
      waiting = waiting.slice(1)
      press(next.key)
    } else if (performance.now() > next.until) stay()
    // What the key did is on the screen before the next one is judged.
    requestAnimationFrame(drain)
  }
  const onKey = (event: KeyboardEvent) => {
    const isOurs =
      !event.defaultPrevented && !event.isComposing && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!isOurs || event.key.length !== 1 || !stored() || isField(document.activeElement)) return
    if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu]')) return
    const loading = isLoading()
    if (loading || waiting.length > 0) {
      waiting.push({ key: event.key, until: performance.now() + longestWaitMs })
      if (!draining) requestAnimationFrame(drain)
      draining = true
      event.preventDefault()
    } else if (press(event.key)) event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}
