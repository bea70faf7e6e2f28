import { useLingui } from '@lingui/react'
import type { FocusEvent, RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Header } from 'react-aria-components/Header'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Icon } from '../control/icon.tsx'
import type { MenuGroup } from './groups.ts'
import styles from './menu.module.css'

type Props = {
  label: string
  groups: readonly MenuGroup[]
  trigger: RefObject<HTMLButtonElement | null>
  onClose: () => void
  /** Does what an entry stands for. */
  onAct: (act: () => void) => void
}

/**
 * Gives the focus of the menu to its current entry. After Enter, Space or the click of a screen reader, React Aria leaves it at the
 * menu, where Enter does nothing and the arrow goes past the first entry.
 */
const handOn = ({ target }: FocusEvent<HTMLElement>) => {
  if (target.role === 'menu') target.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
}

/** The open menu. It sits in a dialog, so that it is never outside the landmarks. */
export function MenuPopover({ label, groups, trigger, onClose, onAct }: Props) {
  const { i18n } = useLingui()
  return (
    <I18nProvider locale={i18n.locale}>
      <Popover
        isOpen
        onOpenChange={(open) => !open && onClose()}
        triggerRef={trigger}
        placement="bottom end"
        className={styles.popover ?? ''}
      >
        <Dialog aria-label={label} className={styles.dialog ?? ''}>
          <div onFocus={handOn}>
            <Menu aria-label={label} autoFocus="first" className={styles.menu ?? ''} onClose={onClose}>
              {groups.map((group) => (
                <Group key={group.id} group={group} onAct={onAct} />
              ))}
            </Menu>
          </div>
        </Dialog>
      </Popover>
    </I18nProvider>
  )
}

function Group({ group, onAct }: { group: MenuGroup } & Pick<Props, 'onAct'>) {
  const choice =
    group.chosen === undefined ? {} : ({ selectionMode: 'single', selectedKeys: [group.chosen] } as const)
  return (
    <MenuSection
      id={group.id}
      className={styles.section ?? ''}
      {...(group.title ? {} : { 'aria-label': group.id })}
      {...choice}
    >
      {group.title && <Header className={styles.title ?? ''}>{group.title}</Header>}
      {group.entries.map((entry) => (
        <MenuItem
          key={entry.id}
          id={entry.id}
          textValue={entry.text}
          className={`${styles.item} ${entry.danger ? styles.danger : ''}`}
          {...(entry.href ? { href: entry.href } : {})}
          {...(entry.onAction ? { onAction: () => onAct(entry.onAction!) } : {})}
        >
          <span lang={entry.lang}>{entry.label}</span>
          {group.chosen === entry.id && <Icon name="check" />}
        </MenuItem>
      ))}
    </MenuSection>
  )
}
