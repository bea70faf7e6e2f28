import { useLingui } from '@lingui/react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { StackedActions } from '../page/stacked-actions.tsx'
import styles from './dialog.module.css'

type DialogProps = {
  title: string
  children: ReactNode
  onClose: () => void
  /** An alert dialog interrupts: it is announced at once and does not close on an outside click. */
  alert?: boolean
  /** Uses the width of the window, for pictures. */
  wide?: boolean
}

/** Modal with a question or a few fields. Open while mounted. Escape closes it; the focus returns to the opener. */
export function Dialog({ title, children, onClose, alert = false, wide = false }: DialogProps) {
  const { i18n } = useLingui()
  return (
    <I18nProvider locale={i18n.locale}>
      <ModalOverlay isOpen isDismissable={!alert} onOpenChange={(open) => !open && onClose()} className={styles.scrim ?? ''}>
        <Modal className={`${styles.modal} ${wide ? styles.wide : ''}`}>
          <AriaDialog role={alert ? 'alertdialog' : 'dialog'} className={styles.dialog ?? ''}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {children}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  )
}

export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className={styles.actions}>
      <StackedActions>{children}</StackedActions>
    </div>
  )
}
