import { type ReactNode, Suspense, lazy, useEffect, useRef, useState } from 'react'
import { type ButtonProps, getButtonClass } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import { type QuickActions, type Shortcut, useQuickActions, useShortcut } from '../keyboard/shortcuts.ts'
import type { MenuGroup } from './groups.ts'

type MenuButtonLook = Pick<ButtonProps, 'kind' | 'small' | 'square' | 'icon' | 'iconEnd' | 'label'>
type MenuButtonProps = {
  label: string
  button: MenuButtonLook
  groups: readonly MenuGroup[]
  shortcut?: Shortcut
  /** Shortcuts that select an entry without opening the menu. */
  quickActions?: QuickActions
  children?: ReactNode
}

// The menu's code loads on hover or focus of the button to keep the first screen small.
const loadMenuPopover = () => import('./popover.tsx')
const MenuPopover = lazy(() => loadMenuPopover().then((m) => ({ default: m.MenuPopover })))

/** Button that opens a menu. `label` names the menu. Escape closes it and restores the focus. */
export function MenuButton({ label, button, groups, shortcut, quickActions = {}, children }: MenuButtonProps) {
  const shortcutProps = useShortcut(shortcut, ...(Object.keys(quickActions) as Shortcut[]))
  const triggerRef = useRef<HTMLButtonElement>(null)
  useQuickActions(triggerRef, quickActions)
  const [isOpen, setIsOpen] = useState(false)
  const pendingActionRef = useRef<() => void>(undefined)
  // Runs the action after the menu has closed: a dialog that it opens must not return the focus to a removed entry.
  useEffect(() => {
    const runAction = pendingActionRef.current
    if (isOpen || !runAction) return
    pendingActionRef.current = undefined
    triggerRef.current?.focus()
    runAction()
  }, [isOpen])
  return (
    <>
      <button
        ref={triggerRef}
        type="button"
        className={getButtonClass(button)}
        aria-label={button.label}
        {...shortcutProps}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={() => void loadMenuPopover()}
        onFocus={() => void loadMenuPopover()}
        onClick={() => setIsOpen(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setIsOpen(true)
        }}
      >
        {button.icon && <Icon name={button.icon} />}
        {children}
        {button.iconEnd && <Icon name={button.iconEnd} />}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <MenuPopover
            label={label}
            groups={groups}
            triggerRef={triggerRef}
            onClose={() => setIsOpen(false)}
            onAct={(act) => {
              pendingActionRef.current = act
              setIsOpen(false)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
