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

type MenuPopoverProps = {
  label: string
  groups: readonly MenuGroup[]
  triggerRef: RefObject<HTMLButtonElement | null>
  onClose: () => void
  onAct: (action: () => void) => void
}

/** Focuses the current entry: React Aria focuses the menu itself, where Enter does nothing and the arrow key skips an entry. */
const focusCurrentEntry = ({ target }: FocusEvent<HTMLElement>) => {
  if (target.role === 'menu') target.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
}

/** The open menu. It is inside a dialog so that its content is always within a landmark. */
export function MenuPopover({ label, groups, triggerRef, onClose, onAct }: MenuPopoverProps) {
  const { i18n } = useLingui()
  return (
    <I18nProvider locale={i18n.locale}>
      <Popover
        isOpen
        onOpenChange={(open) => !open && onClose()}
        triggerRef={triggerRef}
        placement="bottom end"
        className={styles.popover ?? ''}
      >
        <Dialog aria-label={label} className={styles.dialog ?? ''}>
          <div onFocus={focusCurrentEntry}>
            <Menu aria-label={label} autoFocus="first" className={styles.menu ?? ''} onClose={onClose}>
              {groups.map((group) => (
                <PopoverGroup key={group.id} group={group} onAct={onAct} />
              ))}
            </Menu>
          </div>
        </Dialog>
      </Popover>
    </I18nProvider>
  )
}

function PopoverGroup({ group, onAct }: { group: MenuGroup } & Pick<MenuPopoverProps, 'onAct'>) {
  const selectionProps =
    group.selectedId === undefined ? {} : ({ selectionMode: 'single', selectedKeys: [group.selectedId] } as const)
  return (
    <MenuSection
      id={group.id}
      className={styles.section ?? ''}
      {...(group.title ? {} : { 'aria-label': group.id })}
      {...selectionProps}
    >
      {group.title && <Header className={styles.title ?? ''}>{group.title}</Header>}
      {group.entries.map((entry) => (
        <MenuItem
          key={entry.id}
          id={entry.id}
          textValue={entry.text}
          className={`${styles.item} ${entry.isDestructive ? styles.danger : ''}`}
          {...(entry.href ? { href: entry.href } : {})}
          {...(entry.onAction ? { onAction: () => onAct(entry.onAction!) } : {})}
        >
          <span lang={entry.lang}>{entry.label}</span>
          {group.selectedId === entry.id && <Icon name="check" />}
        </MenuItem>
      ))}
    </MenuSection>
  )
}
