import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { BulkIssueChange } from '@clearway/contract/monitor/issue/bulk/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import layout from '../../../kit/page/layout.module.css'
import { QueryState } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { statusLabels } from '../panel/value-labels.ts'
import { bulkChangesQuery } from '../queries.ts'
import { IssueProgress } from './large-change-dialog.tsx'
import { useUndoBulkChange } from './use-undo.ts'

const fieldLabels: Readonly<Record<string, MessageDescriptor>> = {
  status: msg`Status`,
  markAsIssue: msg`Counts as an issue`,
  review: msg`Review`,
  assignedTo: msg`Assignee`,
  remediationComment: msg`Remediation notes`,
  ticketUrl: msg`Ticket`,
  addLabels: msg`Labels`,
}

/** The user's bulk changes of the last 24 hours, each with its undo. */
export function BulkChangesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const changesResult = useQuery(bulkChangesQuery(apiClient))
  const changes = changesResult.data?.content
  return (
    <Dialog title={t`Undo bulk changes`} onClose={onClose}>
      <p
        className={layout.muted}
      >{t`Your bulk changes of the last 24 hours. Issues that were changed since are not restored.`}</p>
      <QueryState
        query={changesResult}
        loadingLabel={t`Loading bulk changes`}
        failureTitle={t`The bulk changes could not be loaded.`}
      />
      {changes?.length === 0 && <p role="status">{t`There is nothing to undo.`}</p>}
      {changes && changes.length > 0 && (
        <ul className={layout.stack}>
          {changes.map((change) => (
            <BulkChange key={change.undo} change={change} />
          ))}
        </ul>
      )}
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  )
}

function useChangeTitle() {
  const { t } = useLingui()
  const { formatList } = useFormats()
  return ({ fields, status }: BulkIssueChange): string => {
    const names = fields.flatMap((field) => {
      if (field === 'status' && status !== null) {
        const statusName = t(statusLabels[status])
        return [t`Status: ${statusName}`]
      }
      const label = fieldLabels[field]
      return label ? [t(label)] : []
    })
    return names.length === 0 ? t`Bulk change` : formatList(names)
  }
}

function BulkChange({ change }: { change: BulkIssueChange }) {
  const { t } = useLingui()
  const { formatDateTime, formatList } = useFormats()
  const undoBulkChange = useUndoBulkChange()
  const [undoneCount, setUndoneCount] = useState<number | null>(null)
  // The list is refetched after the undo, and its number falls with each batch.
  const [totalCount] = useState(change.issues)
  const title = useChangeTitle()(change)
  const madeAt = formatDateTime(change.madeAt)
  const unnamedCount = change.scans - change.scanNames.length
  const undo = async () => {
    setUndoneCount(0)
    await undoBulkChange(change.undo, setUndoneCount)
    setUndoneCount(null)
  }
  return (
    <li className={layout.row}>
      <div className={`${layout.tight} ${layout.grow}`}>
        <strong>{title}</strong>
        <span>
          <Plural value={change.issues} one="# issue" other="# issues" />
          {change.scanNames.length > 0 && <span className={layout.break}>, {formatList(change.scanNames)}</span>}
          {unnamedCount > 0 && (
            <>
              {' '}
              <Plural value={unnamedCount} one="and # more" other="and # more" />
            </>
          )}
        </span>
        <span className={`${layout.muted} ${layout.sm}`}>{madeAt}</span>
        {undoneCount !== null && <IssueProgress label={t`Restored issues`} doneCount={undoneCount} totalCount={totalCount} />}
      </div>
      <Button small pending={undoneCount !== null} label={t`Undo: ${title}, ${madeAt}`} onPress={() => void undo()}>
        {t`Undo`}
      </Button>
    </li>
  )
}
