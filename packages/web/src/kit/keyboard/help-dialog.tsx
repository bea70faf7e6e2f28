import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from '../dialog/dialog.tsx'
import styles from './help-dialog.module.css'
import { setShortcutsEnabled, type Shortcut, shortcutKeys, useShortcutsEnabled } from './shortcuts.ts'

const shortcutLabels: Record<Shortcut, MessageDescriptor> = {
  next: msg`Next row, or the next one in an open panel`,
  previous: msg`Previous row, or the previous one in an open panel`,
  status: msg`Choose the status of this issue`,
  fixed: msg`Mark this issue as fixed`,
  ignored: msg`Ignore this issue`,
  open: msg`Reopen this issue`,
  assignee: msg`Choose the assignee of this issue`,
  me: msg`Assign this issue to me`,
  comment: msg`Write a comment on this issue`,
  yes: msg`This result is an issue; opens the next one`,
  no: msg`This result is not an issue; opens the next one`,
  unsure: msg`Cannot tell whether this result is an issue; opens the next one`,
  search: msg`Search this list`,
  help: msg`Show this list of shortcuts`,
}

const shortcutRows: readonly (readonly [key: string, word: MessageDescriptor])[] = [
  ...(Object.keys(shortcutKeys) as Shortcut[]).map((shortcut) => [shortcutKeys[shortcut], shortcutLabels[shortcut]] as const),
  ['Ctrl K', msg`Search everything, on a Mac with ⌘ K`],
  ['← →', msg`Move between the controls of a toolbar or the headings of a table`],
  ['Enter', msg`Open the focused row`],
  ['Esc', msg`Close the open panel`],
]

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const areShortcutsEnabled = useShortcutsEnabled()
  return (
    <Dialog title={t`Keyboard shortcuts`} onClose={onClose}>
      <dl className={styles.keys}>
        {shortcutRows.map(([key, word]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(word)}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.switch}>
        <input type="checkbox" checked={areShortcutsEnabled} onChange={({ target }) => setShortcutsEnabled(target.checked)} />
        {t`Use keyboard shortcuts`}
      </label>
      <DialogActions>
        <Button kind="primary" onPress={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  )
}
