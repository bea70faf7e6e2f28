import type { ReactNode, Ref } from 'react'
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
  autoFocus?: boolean
  className?: string
}

/** A button. One with only an icon needs `label` and `square`. */
export function Button(props: ButtonProps & { ref?: Ref<HTMLButtonElement> }) {
  const { children, icon, iconEnd, label, type = 'button', disabled, pending, pressed, onPress } = props
  return (
    <button
      ref={props.ref}
      type={type}
      className={`${buttonClass(props)} ${props.className ?? ''}`}
      aria-label={label}
      aria-pressed={pressed}
      aria-disabled={pending || undefined}
      disabled={disabled}
      autoFocus={props.autoFocus}
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
