import { type Shortcut, shortcutKeys, useShortcutsOn } from '../keyboard/shortcuts.ts'
import type { MenuGroup } from './groups.ts'
import { MenuButton } from './menu.tsx'

type Props = {
  /** What is chosen: shown before the value, and the name of the menu. */
  label: string
  value: string
  /** A shortcut chooses an option without the menu. */
  options: readonly { value: string; text: string; shortcut?: Shortcut }[]
  onChoose: (value: string) => void
  /** Actions below the choice. */
  more?: readonly { id: string; text: string; onAction: () => void }[]
  shortcut?: Shortcut
}

/** A choice that is saved as it is made: its menu opens first, so that going through it by the arrow keys changes nothing. */
export function ChoiceButton({ label, value, options, onChoose, more = [], shortcut }: Props) {
  const shortcutsOn = useShortcutsOn()
  const choose = (next: string) => next !== value && onChoose(next)
  const groups: MenuGroup[] = [
    {
      id: label,
      chosen: value,
      entries: options.map((option) => ({
        id: option.value,
        text: option.text,
        label: (
          <>
            {option.text}
            {shortcutsOn && option.shortcut && <kbd aria-hidden>{shortcutKeys[option.shortcut]}</kbd>}
          </>
        ),
        onAction: () => choose(option.value),
      })),
    },
    ...(more.length > 0
      ? [{ id: 'more', entries: more.map((action) => ({ ...action, label: action.text })) }]
      : []),
  ]
  const now = options.find((option) => option.value === value)?.text ?? value
  return (
    <MenuButton
      label={label}
      button={{ small: true, iconEnd: 'down' }}
      groups={groups}
      {...(shortcut && { shortcut })}
      quick={Object.fromEntries(
        options.flatMap((option) => (option.shortcut ? [[option.shortcut, () => choose(option.value)]] : [])),
      )}
    >
      <span>
        {label}: <strong>{now}</strong>
      </span>
    </MenuButton>
  )
}
