import type { ReactNode, Ref } from 'react'
import { type Shortcut, useShortcut } from '../keyboard/shortcuts.ts'
import { type IconName, Icon } from './icon.tsx'
import styles from './button.module.css'

export type ButtonLook = { kind?: 'plain' | 'primary' | 'quiet' | 'danger'; small?: boolean; square?: boolean }

export const getButtonClass = ({ kind = 'plain', small = false, square = false }: ButtonLook = {}): string =>
  [styles.button, styles[kind], small && styles.small, square && styles.square].filter(Boolean).join(' ')

export type ButtonProps = ButtonLook & {
  children?: ReactNode
  icon?: IconName
  iconEnd?: IconName
  /** Accessible name of an icon-only button, or an extended name that begins with the visible text. */
  label?: string
  type?: 'button' | 'submit'
  disabled?: boolean
  /** In progress or unavailable. The button stays focusable; presses do nothing. */
  pending?: boolean
  pressed?: boolean
  /** State of the elements that the button shows and hides. */
  expanded?: boolean
  onPress?: () => void
  /** Keeps the focus in the current field on press. Otherwise validation on blur could move the button away from the pointer. */
  keepsFocus?: boolean
  autoFocus?: boolean
  shortcut?: Shortcut | undefined
  className?: string
}

/** A button. If it shows only an icon, it needs `label` and `square`. */
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
  expanded,
  onPress,
  keepsFocus,
  autoFocus,
  shortcut,
  className = '',
}: ButtonProps & { ref?: Ref<HTMLButtonElement> }) {
  const shortcutProps = useShortcut(shortcut)
  return (
    <button
      ref={ref}
      type={type}
      className={`${getButtonClass({ kind, small, square })} ${className}`}
      {...shortcutProps}
      aria-label={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-disabled={pending || undefined}
      disabled={disabled}
      autoFocus={autoFocus}
      onMouseDown={keepsFocus ? (event) => event.preventDefault() : undefined}
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
