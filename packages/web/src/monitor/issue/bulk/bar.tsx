import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BulkBar } from '../../../kit/table/bulk-bar.tsx'
import { Button } from '../../../kit/control/button.tsx'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import { MenuButton } from '../../../kit/menu/menu.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import type { Selection, SelectionState } from '../../../kit/table/use-selection.ts'
import { useRuleTitle } from '../../ruleset/queries-texts.ts'
import { useSession } from '../../user/model.ts'
import { getRowKind, type IssueSearch } from '../model.ts'
import { buildBulkBody, selectedCountQuery } from '../queries.ts'
import { useIssueBulk } from '../queries-change.ts'
import { AssignDialog, DeleteIssuesDialog, LabelDialog, TicketDialog } from './dialogs.tsx'
import { IssueExport } from '../parts/export.tsx'
import { statusLabels } from '../panel/labels.ts'

type IssueBulkProps = { search: IssueSearch; selectionState: SelectionState; totalCount: number; exportDownload: DownloadState }
const settableStatuses = ['open', 'fixed', 'ignored'] as const

/** Actions on the selected issues. Each reports the number of changed and skipped issues. */
export function IssueBulk({ search, selectionState, totalCount, exportDownload }: IssueBulkProps) {
  const { t } = useLingui()
  const { api: apiClient, permissions } = useSession()
  const [openDialog, setOpenDialog] = useState<{
    kind: 'assign' | 'label' | 'ticket' | 'delete'
    selection: Selection
  } | null>(null)
  const bulkActions = useBulkActions(search, selectionState, totalCount)
  const { selection: currentSelection } = selectionState
  // Browser navigation may change the selection while a dialog is open; the dialog then no longer applies.
  const dialogKind = openDialog?.selection === currentSelection ? openDialog.kind : null
  const setDialogKind = (kind: NonNullable<typeof openDialog>['kind'] | null) =>
    setOpenDialog(kind && { kind, selection: currentSelection })
  const selectedCount = useQuery({
    ...selectedCountQuery(apiClient, search, currentSelection),
    enabled: selectionState.countSelected(totalCount) > 0,
  }).data?.count
  if (permissions.isGuest) return null
  const createEntry = (id: string, text: string, onAction: () => void, isDestructive = false) => ({
    id,
    text,
    label: text,
    onAction,
    isDestructive,
  })
  return (
    <>
      <BulkBar
        selectionState={selectionState}
        total={totalCount}
        {...(getRowKind(search) !== 'issue' && {
          groups: selectedCount === undefined ? '' : <Plural value={selectedCount} one="# issue" other="# issues" />,
        })}
      >
        <MenuButton
          label={t`Set status`}
          button={{ small: true, iconEnd: 'down' }}
          groups={[
            {
              id: 'status',
              entries: settableStatuses.map((status) =>
                createEntry(status, t(statusLabels[status]), () => bulkActions.setStatus(status)),
              ),
            },
          ]}
        >
          {t`Set status`}
        </MenuButton>
        <Button small onPress={() => setDialogKind('assign')}>{t`Assign…`}</Button>
        <MenuButton
          label={t`More actions`}
          button={{ small: true, iconEnd: 'down' }}
          groups={[
            {
              id: 'mark',
              entries: [
                createEntry('mark', t`Mark as issues`, () => bulkActions.mark(true)),
                createEntry('unmark', t`Mark as not issues`, () => bulkActions.mark(false)),
                createEntry('label', t`Add a label…`, () => setDialogKind('label')),
                createEntry('ticket', t`Link to a ticket…`, () => setDialogKind('ticket')),
                createEntry('delete', t`Delete…`, () => setDialogKind('delete'), true),
              ],
            },
          ]}
        >
          {t`More actions`}
        </MenuButton>
        <IssueExport search={search} selection={currentSelection} download={exportDownload}>
          {t`Export selection`}
        </IssueExport>
      </BulkBar>
      {dialogKind === 'assign' && (
        <AssignDialog
          search={search}
          selection={currentSelection}
          onClose={() => setDialogKind(null)}
          onAssign={bulkActions.assign}
        />
      )}
      {dialogKind === 'label' && <LabelDialog onClose={() => setDialogKind(null)} onSet={bulkActions.label} />}
      {dialogKind === 'ticket' && <TicketDialog onClose={() => setDialogKind(null)} onSet={bulkActions.ticket} />}
      {dialogKind === 'delete' && (
        <DeleteIssuesDialog
          count={selectedCount ?? selectionState.countSelected(totalCount)}
          onClose={() => setDialogKind(null)}
          onDelete={bulkActions.remove}
        />
      )}
    </>
  )
}

/** Reverts a bulk change and names the issues that others have changed since. */
function useUndoBulkChange() {
  const { t, i18n } = useLingui()
  const showToast = useToast()
  const { undo: undoMutation } = useIssueBulk()
  const getRuleTitle = useRuleTitle(i18n.locale)
  return (id: string) =>
    // Also works after navigation to another screen.
    undoMutation.mutateAsync(id).then(
      ({ restored, left: skippedCount, named: skippedIssues }) => {
        const restoredText = t`${plural(restored, { one: '# issue restored.', other: '# issues restored.' })}`
        if (skippedCount === 0) return showToast('confirmation', restoredText)
        const names = [...new Set(skippedIssues.map(({ rule }) => getRuleTitle(rule, rule)))].join(', ')
        const skippedText =
          names === ''
            ? t`${plural(skippedCount, {
                one: '# was changed or deleted since and was not restored.',
                other: '# were changed or deleted since and were not restored.',
              })}`
            : t`${plural(skippedCount, {
                one: `# was changed or deleted since and was not restored: ${names}.`,
                other: `# were changed or deleted since and were not restored: ${names}.`,
              })}`
        showToast('caution', `${restoredText} ${skippedText}`)
      },
      (error: unknown) => {
        const errorMessage = t(getProblemMessage(error))
        showToast('error', t`Error while trying to undo: ${errorMessage}`)
      },
    )
}

/** Bulk actions, each with its result message. */
function useBulkActions(search: IssueSearch, selectionState: SelectionState, totalCount: number) {
  const { t } = useLingui()
  const showToast = useToast()
  const { change: changeMutation, remove: deleteMutation } = useIssueBulk()
  const undoBulkChange = useUndoBulkChange()
  const requestBody = buildBulkBody(search, selectionState.selection, totalCount)
  const showResult = (
    { changed, skipped, undo = null }: { changed: number; skipped: number; undo?: string | null },
    resultText: string,
  ) => {
    const onUndo = undo === null ? undefined : () => void undoBulkChange(undo)
    if (skipped === 0) showToast('confirmation', resultText, onUndo)
    else
      showToast(
        'caution',
        `${resultText} ${t`${plural(skipped, {
          one: '# was skipped: your role on its scan does not allow it.',
          other: '# were skipped: your role on their scan does not allow it.',
        })}`}`,
        onUndo,
      )
    if (changed > 0) selectionState.clearSelection()
  }
  const changeFields = (fields: IssueFields, getErrorText: (errorMessage: string) => string) =>
    changeMutation.mutate(
      { body: requestBody, fields },
      {
        onSuccess: (result) => {
          const { changed: changedCount } = result
          showResult(result, t`${plural(changedCount, { one: '# issue changed.', other: '# issues changed.' })}`)
        },
        onError: (error) => showToast('error', getErrorText(t(getProblemMessage(error)))),
      },
    )
  return {
    setStatus: (status: (typeof settableStatuses)[number]) => {
      const statusName = t(statusLabels[status])
      changeFields({ status }, (errorMessage) => t`Error while trying to set ${statusName} status: ${errorMessage}`)
    },
    mark: (isIssue: boolean) =>
      changeFields({ markAsIssue: isIssue }, (errorMessage) =>
        isIssue
          ? t`Error while trying to mark as issues: ${errorMessage}`
          : t`Error while trying to unmark as issues: ${errorMessage}`,
      ),
    assign: (id: string) =>
      changeFields(
        { assignedTo: id === '' ? null : id },
        (errorMessage) => t`Error while trying to assign issues: ${errorMessage}`,
      ),
    label: (name: string) =>
      changeFields({ addLabels: [name] }, (errorMessage) => t`Error while trying to label issues: ${errorMessage}`),
    ticket: (url: string) =>
      changeFields({ ticketUrl: url }, (errorMessage) => t`Error while trying to link issues to a ticket: ${errorMessage}`),
    remove: () =>
      deleteMutation.mutate(requestBody, {
        onSuccess: (result) => {
          const { changed: changedCount } = result
          showResult(result, t`${plural(changedCount, { one: '# issue deleted.', other: '# issues deleted.' })}`)
        },
        onError: (error) => {
          const errorMessage = t(getProblemMessage(error))
          showToast('error', t`Error while trying to delete issues: ${errorMessage}`)
        },
      }),
  }
}
