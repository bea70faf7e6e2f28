import type { ReactNode, Ref } from 'react'
import { type Shortcut, useShortcut } from '../keyboard/shortcuts.ts'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import styles from './button.module.css'

export type ButtonLook = {
  kind?: 'plain' | 'primary' | 'quiet' | 'danger'
  small?: boolean
  square?: boolean
}

/** Class of anything that looks like a button: a button, or a link that leads somewhere. */
export const buttonClass = ({ kind = 'plain', small = false, square = false }: ButtonLook = {}): string =>
  [styles.button, styles[kind], small && styles.small, square && styles.square].filter(Boolean).join(' ')

export type ButtonProps = ButtonLook & {
  children?: ReactNode
  icon?: IconName
  iconEnd?: IconName
  /** Name of a button that shows only an icon, or more than it shows; begins with the visible words. */
  label?: string
  type?: 'button' | 'submit'
  disabled?: boolean
  /** Work is going on, or there is no further way: stays focusable, presses do nothing. */
  pending?: boolean
  pressed?: boolean
  onPress?: () => void
  /** A press leaves the focus where it is: what a field does when it is left must not move the button away under it. */
  steady?: boolean
  autoFocus?: boolean
  /** The key that presses it. */
  shortcut?: Shortcut | undefined
  className?: string
}

/** A button. One with only an icon needs `label` and `square`. */
export function Button({
  ref,
  children,
  icon,
  iconEnd,
  label,
  type = 'button',
  kind = 'plain',
  small = false,
  square = false,
  disabled,
  pending,
  pressed,
  onPress,
  steady,
  autoFocus,
  shortcut,
  className = '',
}: ButtonProps & { ref?: Ref<HTMLButtonElement> }) {
  const keys = useShortcut(shortcut)
  return (
    <button
      ref={ref}
      type={type}
      className={`${buttonClass({ kind, small, square })} ${className}`}
      {...keys}
      aria-label={label}
      aria-pressed={pressed}
      aria-disabled={pending || undefined}
      disabled={disabled}
      autoFocus={autoFocus}
      onMouseDown={steady ? (event) => event.preventDefault() : undefined}
      onClick={(event) => {
        if (pending) event.preventDefault()
        else onPress?.()
      }}
    >
      {icon && <Icon name={icon} filled={pressed === true} />}
      {children}
      {iconEnd && <Icon name={iconEnd} />}
    </button>
  )
}
