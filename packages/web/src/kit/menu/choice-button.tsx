import { type Shortcut, shortcutKeys, useShortcutsEnabled } from '../keyboard/shortcuts.ts'
import type { MenuGroup } from './groups.ts'
import { MenuButton } from './menu.tsx'

type ChoiceButtonProps = {
  /** Name of the choice: shown before the value and used as the menu's name. */
  label: string
  value: string
  /** `shortcut` selects an option without opening the menu. */
  options: readonly { value: string; text: string; shortcut?: Shortcut }[]
  onChoose: (value: string) => void
  extraActions?: readonly { id: string; text: string; onAction: () => void }[]
  shortcut?: Shortcut
}

/** Choice that is saved immediately. Opens a menu first, so that moving with the arrow keys changes nothing. */
export function ChoiceButton({ label, value, options, onChoose, extraActions = [], shortcut }: ChoiceButtonProps) {
  const areShortcutsEnabled = useShortcutsEnabled()
  const chooseOption = (newValue: string) => newValue !== value && onChoose(newValue)
  const menuGroups: MenuGroup[] = [
    {
      id: label,
      selectedId: value,
      entries: options.map((option) => ({
        id: option.value,
        text: option.text,
        label: (
          <>
            {option.text}
            {areShortcutsEnabled && option.shortcut && <kbd aria-hidden>{shortcutKeys[option.shortcut]}</kbd>}
          </>
        ),
        onAction: () => chooseOption(option.value),
      })),
    },
    ...(extraActions.length > 0
      ? [{ id: 'more', entries: extraActions.map((action) => ({ ...action, label: action.text })) }]
      : []),
  ]
  const currentText = options.find((option) => option.value === value)?.text ?? value
  return (
    <MenuButton
      label={label}
      button={{ small: true, iconEnd: 'down' }}
      groups={menuGroups}
      {...(shortcut && { shortcut })}
      quickActions={Object.fromEntries(
        options.flatMap((option) => (option.shortcut ? [[option.shortcut, () => chooseOption(option.value)]] : [])),
      )}
    >
      <span>
        {label}: <strong>{currentText}</strong>
      </span>
    </MenuButton>
  )
}
