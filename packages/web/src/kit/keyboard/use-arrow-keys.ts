import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Number of controls from which on a group is one tab stop. */
const minControls = 2

/** Fields in which the arrows move, as in a text or a date, are stops of their own. */
const controlSelector = ':is(a[href], button, select, [type=checkbox], [type=radio]):not(:disabled)'

const listControls = (groupElement: HTMLElement): HTMLElement[] =>
  [...groupElement.querySelectorAll<HTMLElement>(controlSelector)].filter((control) => control.checkVisibility())

/** The browser treats radio buttons of one name as one tab stop. */
const isSameStop = (control: HTMLElement, stop: HTMLElement | undefined): boolean =>
  control === stop || (control.matches('[type=radio]') && control.getAttribute('name') === stop?.getAttribute('name'))

function findNextIndex({ key, target }: KeyboardEvent, index: number, lastIndex: number): number | undefined {
  if (key === 'ArrowRight') return Math.min(index + 1, lastIndex)
  if (key === 'ArrowLeft') return Math.max(index - 1, 0)
  if (target instanceof HTMLSelectElement) return undefined
  return key === 'Home' ? 0 : key === 'End' ? lastIndex : undefined
}

/**
 * Makes a group of controls one tab stop, in which the left and right arrow keys move: the pattern of toolbars. Up and down keep
 * their meaning in selects and radio buttons.
 */
export function useArrowKeys<Group extends HTMLElement>(): RefObject<Group | null> {
  const groupRef = useRef<Group>(null)
  useLayoutEffect(() => {
    const groupElement = groupRef.current
    if (!groupElement) return
    let tabStop: HTMLElement | undefined
    let tabStopIndex = 0
    let focusedControl: HTMLElement | undefined
    const updateTabStops = () => {
      const controls = listControls(groupElement)
      const isOneStop = controls.length >= minControls
      // A control that disappeared hands its stop to the one in its place.
      if (!controls.includes(tabStop!)) tabStop = controls[tabStopIndex] ?? controls.at(-1)
      tabStopIndex = Math.max(controls.indexOf(tabStop!), 0)
      for (const control of controls) {
        if (isOneStop && !isSameStop(control, tabStop)) control.tabIndex = -1
        else control.removeAttribute('tabindex')
      }
      groupElement.toggleAttribute('data-arrow-keys', isOneStop)
      if (groupElement.role) groupElement.role = isOneStop ? 'toolbar' : 'group'
    }
    const onMutation = () => {
      updateTabStops()
      if (!focusedControl || focusedControl.isConnected) return
      focusedControl = undefined
      if (document.activeElement === document.body) tabStop?.focus()
    }
    const onFocusIn = ({ target }: FocusEvent) => {
      focusedControl = target as HTMLElement
      if (listControls(groupElement).includes(focusedControl)) tabStop = focusedControl
      updateTabStops()
    }
    // Removal can end the focus, too: only a control that stays was left by the user.
    const onFocusOut = () =>
      queueMicrotask(() => {
        if (focusedControl?.isConnected && focusedControl !== document.activeElement) focusedControl = undefined
      })
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const controls = listControls(groupElement)
      const index = controls.indexOf(event.target as HTMLElement)
      const nextIndex = findNextIndex(event, index, controls.length - 1)
      if (index < 0 || nextIndex === undefined || controls.length < minControls) return
      event.preventDefault()
      controls[nextIndex]?.focus()
    }
    // Controls appear and disappear without a render of the group.
    const mutationObserver = new MutationObserver(onMutation)
    mutationObserver.observe(groupElement, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    // Another width hides other controls.
    const resizeObserver = new ResizeObserver(updateTabStops)
    resizeObserver.observe(groupElement)
    const abortController = new AbortController()
    groupElement.addEventListener('focusin', onFocusIn, { signal: abortController.signal })
    groupElement.addEventListener('focusout', onFocusOut, { signal: abortController.signal })
    groupElement.addEventListener('keydown', onKeyDown, { signal: abortController.signal })
    return () => {
      mutationObserver.disconnect()
      resizeObserver.disconnect()
      abortController.abort()
    }
  }, [])
  return groupRef
}
