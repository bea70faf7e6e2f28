import { type RefObject, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { readStoredValue, writeStoredValue } from '../client/storage.ts'

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
  yes: 'y',
  no: 'n',
  unsure: 'u',
  search: '/',
  help: '?',
} as const
export type Shortcut = keyof typeof shortcutKeys

/** Keys that open another detail: further keys wait for it. */
const advancingKeys: ReadonlySet<string> = new Set(
  (['next', 'previous', 'yes', 'no', 'unsure'] as const).map((shortcut) => shortcutKeys[shortcut]),
)

const changeListeners = new Set<() => void>()
const subscribeToChanges = (onChange: () => void) => {
  changeListeners.add(onChange)
  return () => changeListeners.delete(onChange)
}
const readShortcutsEnabled = (): boolean => readStoredValue('shortcuts') !== 'off'

/** Returns true if shortcuts are enabled. Users of speech input or screen readers may need the letters for other purposes. */
export const useShortcutsEnabled = (): boolean => useSyncExternalStore(subscribeToChanges, readShortcutsEnabled)
export function setShortcutsEnabled(isEnabled: boolean): void {
  writeStoredValue('shortcuts', isEnabled ? null : 'off')
  for (const onChange of changeListeners) onChange()
}

/** Returns the props that connect a control to shortcuts. The attribute informs assistive technology and locates the control. */
export function useShortcut(...shortcuts: (Shortcut | undefined)[]): { 'aria-keyshortcuts'?: string } {
  const areShortcutsEnabled = useShortcutsEnabled()
  const keyNames = shortcuts.flatMap((shortcut) => (shortcut ? [shortcutKeys[shortcut]] : []))
  return areShortcutsEnabled && keyNames.length > 0 ? { 'aria-keyshortcuts': keyNames.join(' ') } : {}
}

export type QuickActions = Partial<Record<Shortcut, () => void>>
const quickActionEvent = 'quick-action'

/** Assigns an action to each shortcut of a control, instead of a press. */
export function useQuickActions(controlRef: RefObject<HTMLElement | null>, actions: QuickActions): void {
  const runQuickAction = useEffectEvent((event: Event) => {
    const pressedKey = (event as CustomEvent<string>).detail
    const matchingShortcut = (Object.keys(actions) as Shortcut[]).find((candidate) => shortcutKeys[candidate] === pressedKey)
    if (!matchingShortcut) return
    event.preventDefault()
    actions[matchingShortcut]?.()
  })
  useEffect(() => {
    const controlElement = controlRef.current
    const onQuickAction = (event: Event) => runQuickAction(event)
    controlElement?.addEventListener(quickActionEvent, onQuickAction)
    return () => controlElement?.removeEventListener(quickActionEvent, onQuickAction)
  }, [controlRef])
}

const isElementVisible = (element: HTMLElement): boolean => element.checkVisibility({ visibilityProperty: true })
const isInputField = (element: Element | null): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable || element.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=button])'))

/** Focuses the link of the next or previous row in the first list. Returns false if there is none. */
export function focusAdjacentRow(offset: 1 | -1): boolean {
  const rowLinks = [...document.querySelectorAll<HTMLElement>('main [data-row-link] a')].filter(isElementVisible)
  const currentIndex = rowLinks.findIndex((link) => link === document.activeElement)
  const nextLink = currentIndex < 0 ? rowLinks[0] : rowLinks[currentIndex + offset]
  nextLink?.focus()
  return nextLink !== undefined
}

/** Runs the action of a key on this screen. Returns false if no control handles it. */
function runShortcut(pressedKey: string): boolean {
  const shortcutControl = [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts~="${CSS.escape(pressedKey)}"]`)].find(
    isElementVisible,
  )
  if (shortcutControl) {
    const isUnhandled = shortcutControl.dispatchEvent(new CustomEvent(quickActionEvent, { detail: pressedKey, cancelable: true }))
    if (!isUnhandled) return true
    if (advancingKeys.has(pressedKey)) markDetailDeparting(shortcutControl)
    if (isInputField(shortcutControl)) shortcutControl.focus()
    else shortcutControl.click()
    return true
  }
  if (pressedKey === shortcutKeys.next) return focusAdjacentRow(1)
  return pressedKey === shortcutKeys.previous && focusAdjacentRow(-1)
}

const maxWaitMs = 5000
/** Detail that is being replaced after a next or previous key. */
let departingDetail: { detailId: string; until: number } | null = null

/** Keys that wait for the detail that is loading. */
let queuedKeys: { key: string; until: number }[] = []

/** Discards the queued keys: the next detail will not open, and its keys must not change the current one. */
export function discardQueuedKeys(): void {
  departingDetail = null
  queuedKeys = []
}

function markDetailDeparting(control: HTMLElement): void {
  const detailId = control.closest<HTMLElement>('[data-detail]')?.dataset.detail
  if (detailId && !control.matches(':disabled, [aria-disabled=true]'))
    departingDetail = { detailId, until: performance.now() + maxWaitMs }
}

/** Returns true while a detail is loading. The visible detail is the previous one, which keys must not change. */
function isDetailLoading(): boolean {
  const detailElement = document.querySelector<HTMLElement>('[data-detail]')
  if (departingDetail && detailElement?.dataset.detail !== departingDetail.detailId) departingDetail = null
  if (departingDetail && performance.now() > departingDetail.until) discardQueuedKeys()
  return departingDetail !== null || detailElement?.matches('[aria-busy=true]') === true
}

/**
 * Listens for shortcuts, except during text input, in dialogs and menus, or with modifier keys. Returns an unsubscribe function.
 */
export function listenForShortcuts(): () => void {
  let isDraining = false
  const drainQueue = () => {
    const isLoading = isDetailLoading()
    const nextKey = queuedKeys[0]
    isDraining = nextKey !== undefined
    if (!nextKey) return
    if (!isLoading) {
      queuedKeys = queuedKeys.slice(1)
      runShortcut(nextKey.key)
    } else if (performance.now() > nextKey.until) discardQueuedKeys()
    // Renders the effect of the key before the next key is handled.
    requestAnimationFrame(drainQueue)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlainKeyPress = !event.defaultPrevented && !event.isComposing && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!isPlainKeyPress || event.key.length !== 1 || !readShortcutsEnabled() || isInputField(document.activeElement)) return
    if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu]')) return
    const isLoading = isDetailLoading()
    if (isLoading || queuedKeys.length > 0) {
      queuedKeys.push({ key: event.key, until: performance.now() + maxWaitMs })
      if (!isDraining) requestAnimationFrame(drainQueue)
      isDraining = true
      event.preventDefault()
    } else if (runShortcut(event.key)) event.preventDefault()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
