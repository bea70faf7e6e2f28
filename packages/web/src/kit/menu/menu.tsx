import type { ReactNode } from 'react'
import { Suspense, lazy, useEffect, useRef, useState } from 'react'
import type { ButtonProps } from '../control/button.tsx'
import { getButtonClass } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import { type QuickActions, type Shortcut, useQuickActions, useShortcut } from '../keyboard/shortcuts.ts'
import type { MenuGroup } from './groups.ts'

type Look = Pick<ButtonProps, 'kind' | 'small' | 'square' | 'icon' | 'iconEnd' | 'label'>
type Props = {
  label: string
  button: Look
  groups: readonly MenuGroup[]
  /** The key that opens it. */
  shortcut?: Shortcut
  /** Keys that choose at once, without the menu. */
  quick?: QuickActions
  children?: ReactNode
}

// The menu's code is fetched when somebody comes near the button: the first screen stays light.
const loadMenu = () => import('./popover.tsx')
const MenuPopover = lazy(() => loadMenu().then((m) => ({ default: m.MenuPopover })))

/** A button that opens a menu. `label` names the menu. The menu closes on Escape and gives the focus back. */
export function MenuButton({ label, button, groups, shortcut, quick = {}, children }: Props) {
  const keys = useShortcut(shortcut, ...(Object.keys(quick) as Shortcut[]))
  const trigger = useRef<HTMLButtonElement>(null)
  useQuickActions(trigger, quick)
  const [open, setOpen] = useState(false)
  const chosen = useRef<() => void>(undefined)
  // Once the menu has gone: a dialog gives the focus back to what had it, which must not be an entry of a menu that is no more.
  useEffect(() => {
    const act = chosen.current
    if (open || !act) return
    chosen.current = undefined
    trigger.current?.focus()
    act()
  }, [open])
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={getButtonClass(button)}
        aria-label={button.label}
        {...keys}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {button.icon && <Icon name={button.icon} />}
        {children}
        {button.iconEnd && <Icon name={button.iconEnd} />}
      </button>
      {open && (
        <Suspense fallback={null}>
          <MenuPopover
            label={label}
            groups={groups}
            trigger={trigger}
            onClose={() => setOpen(false)}
            onAct={(act) => {
              chosen.current = act
              setOpen(false)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
