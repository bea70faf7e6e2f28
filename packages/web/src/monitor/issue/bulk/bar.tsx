import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import { type IssueFields, ReviewAnswer, SettableStatus } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { BulkBar } from '../../../kit/table/bulk-bar.tsx'
import { Button } from '../../../kit/control/button.tsx'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import { createMenuEntry } from '../../../kit/menu/groups.ts'
import { MenuButton } from '../../../kit/menu/menu.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import type { Selection, SelectionState } from '../../../kit/table/use-selection.ts'
import { useSession } from '../../user/model.ts'
import { getRowKind, type IssueSearch } from '../model.ts'
import { buildBulkBody, selectedCountQuery } from '../queries.ts'
import { useIssueBulk } from '../queries-change.ts'
import { type BatchedResult, maxUnconfirmedIssues } from '../model-batches.ts'
import { AssignDialog, DeleteIssuesDialog, LabelDialog, TicketDialog } from './dialogs.tsx'
import { type BatchControls, LargeChangeDialog, type SelectionFacts } from './large-change-dialog.tsx'
import { useUndoBulkChange } from './use-undo.ts'
import { IssueExport } from '../parts/export.tsx'
import { IgnoreDialog, type NewIgnore } from '../panel/ignore-dialog.tsx'
import { reviewLabels, statusLabels } from '../panel/value-labels.ts'

type IssueBulkProps = { search: IssueSearch; selectionState: SelectionState; totalCount: number; exportDownload: DownloadState }

/** Actions on the selected issues. Each reports the number of changed and skipped issues. */
export function IssueBulk({ search, selectionState, totalCount, exportDownload }: IssueBulkProps) {
  const { t } = useLingui()
  const { api: apiClient, permissions } = useSession()
  const [openDialog, setOpenDialog] = useState<{
    kind: DialogKind
    selection: Selection
  } | null>(null)
  const { selection: currentSelection } = selectionState
  const setDialogKind = (kind: DialogKind | null) => setOpenDialog(kind && { kind, selection: currentSelection })
  const countResult = useQuery({
    ...selectedCountQuery(apiClient, search, currentSelection),
    enabled: selectionState.countSelected(totalCount) > 0,
  })
  // The count of the previous selection says nothing about this one.
  const selectionFacts = countResult.isPlaceholderData ? undefined : countResult.data
  const selectedCount = countResult.data?.count
  const bulkActions = useBulkActions(search, { selectionState, totalCount, issueCount: selectionFacts?.count })
  if (permissions.isGuest) return null
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
              entries: [
                ...SettableStatus.options.map((status) =>
                  createMenuEntry(status, t(statusLabels[status]), () => bulkActions.setStatus(status)),
                ),
                createMenuEntry('ignore', t`Ignore with a reason…`, () => setDialogKind('ignore')),
              ],
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
              id: 'more',
              entries: [
                createMenuEntry('mark', t`Mark as issues`, () => bulkActions.mark(true)),
                createMenuEntry('unmark', t`Mark as not issues`, () => bulkActions.mark(false)),
                ...ReviewAnswer.options.map((answer) =>
                  createMenuEntry(answer, t(reviewLabels[answer]), () => bulkActions.review(answer)),
                ),
                createMenuEntry('label', t`Add a label…`, () => setDialogKind('label')),
                createMenuEntry('ticket', t`Link to a ticket…`, () => setDialogKind('ticket')),
                createMenuEntry(
                  'delete',
                  t`Delete…`,
                  () => (bulkActions.isLarge ? bulkActions.remove() : setDialogKind('delete')),
                  true,
                ),
              ],
            },
          ]}
        >
          {t`More actions`}
        </MenuButton>
        <IssueExport small search={search} selection={currentSelection} download={exportDownload}>
          {t`Export selection`}
        </IssueExport>
      </BulkBar>
      <BulkDialogs
        search={search}
        // Browser navigation may change the selection while a dialog is open; the dialog then no longer applies.
        kind={openDialog?.selection === currentSelection ? openDialog.kind : null}
        selection={currentSelection}
        facts={selectionFacts}
        selectedCount={selectedCount ?? selectionState.countSelected(totalCount)}
        actions={bulkActions}
        onClose={() => setDialogKind(null)}
      />
    </>
  )
}

type DialogKind = 'assign' | 'ignore' | 'label' | 'ticket' | 'delete'
type BulkDialogsProps = {
  search: IssueSearch
  kind: DialogKind | null
  selection: Selection
  facts: SelectionFacts | undefined
  selectedCount: number
  actions: ReturnType<typeof useBulkActions>
  onClose: () => void
}

/** The open dialog of a bulk action, and the confirmation of a large one. */
function BulkDialogs({ search, kind, selection, facts, selectedCount, actions, onClose }: BulkDialogsProps) {
  return (
    <>
      {kind === 'assign' && <AssignDialog search={search} selection={selection} onClose={onClose} onAssign={actions.assign} />}
      {kind === 'ignore' && (
        <IgnoreDialog
          hasNoScope
          pending={false}
          failure={undefined}
          onClose={onClose}
          onIgnore={(ignore) => {
            onClose()
            actions.ignore(ignore)
          }}
        />
      )}
      {kind === 'label' && <LabelDialog onClose={onClose} onSet={actions.label} />}
      {kind === 'ticket' && <TicketDialog onClose={onClose} onSet={actions.ticket} />}
      {kind === 'delete' && <DeleteIssuesDialog count={selectedCount} onClose={onClose} onDelete={actions.remove} />}
      {actions.largeChange?.selection === selection && (
        <LargeChangeDialog
          isDeletion={actions.largeChange?.fields === null}
          facts={facts}
          onRun={actions.runLargeChange}
          onEnd={actions.endLargeChange}
          onClose={actions.cancelLargeChange}
        />
      )}
    </>
  )
}

/** A change that waits for its confirmation, or is in progress; `fields` is null for a deletion. */
type LargeChange = {
  fields: IssueFields | null
  getErrorText: (errorMessage: string) => string
  body: BulkBody
  selection: Selection
}
type BulkBody = ReturnType<typeof buildBulkBody>
type ActionOptions = { selectionState: SelectionState; totalCount: number; issueCount: number | undefined }

/** Returns a function that reports the result of a bulk change, with its undo. */
function useShowResult(selectionState: SelectionState) {
  const { t } = useLingui()
  const showToast = useToast()
  const undoBulkChange = useUndoBulkChange()
  return (
    { changed: changedCount, skipped, undo = null }: { changed: number; skipped: number; undo?: string | null },
    {
      isDeletion = false,
      isStopped = false,
      failureText,
    }: { isDeletion?: boolean; isStopped?: boolean; failureText?: string } = {},
  ) => {
    const resultText = isDeletion
      ? t`${plural(changedCount, { one: '# issue deleted.', other: '# issues deleted.' })}`
      : t`${plural(changedCount, { one: '# issue changed.', other: '# issues changed.' })}`
    const shownResult = isStopped ? t`Stopped. ${resultText}` : resultText
    const onUndo = undo === null ? undefined : () => void undoBulkChange(undo)
    const skippedText =
      skipped === 0
        ? undefined
        : t`${plural(skipped, {
            one: '# was skipped: your role on its scan does not allow it.',
            other: '# were skipped: your role on their scan does not allow it.',
          })}`
    const messageKind = failureText !== undefined ? 'error' : skippedText === undefined ? 'confirmation' : 'caution'
    showToast(messageKind, [failureText, shownResult, skippedText].filter((text) => text !== undefined).join(' '), onUndo)
    if (changedCount > 0) selectionState.clearSelection()
  }
}

/** A change of many issues: it waits for its confirmation, and reports its result at the end or when it is stopped. */
function useLargeChange(showResult: ReturnType<typeof useShowResult>) {
  const { t } = useLingui()
  const { changeMany, removeMany } = useIssueBulk()
  const [largeChange, setLargeChange] = useState<LargeChange | null>(null)
  const runLargeChange = (options: BatchControls) => {
    const { body, fields } = largeChange!
    return fields === null ? removeMany.mutateAsync({ body, ...options }) : changeMany.mutateAsync({ body, fields, ...options })
  }
  const endLargeChange = (result: BatchedResult) => {
    const failureText = result.error === null ? undefined : largeChange?.getErrorText(t(getProblemMessage(result.error)))
    setLargeChange(null)
    showResult(result, {
      isDeletion: largeChange?.fields === null,
      isStopped: result.isStopped,
      ...(failureText !== undefined && { failureText }),
    })
  }
  return { largeChange, setLargeChange, runLargeChange, endLargeChange, cancelLargeChange: () => setLargeChange(null) }
}

/** Returns a function that waits for the number of selected issues; a number that cannot be loaded may be large. */
function useLoadIssueCount(search: IssueSearch, { selection }: SelectionState) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  return () =>
    queryClient.ensureQueryData(selectedCountQuery(apiClient, search, selection)).then(
      ({ count }) => count,
      () => Infinity,
    )
}

/** Bulk actions, each with its result message. Those on many issues are confirmed first. */
function useBulkActions(search: IssueSearch, { selectionState, totalCount, issueCount }: ActionOptions) {
  const { t } = useLingui()
  const showToast = useToast()
  const { change: changeMutation, remove: deleteMutation } = useIssueBulk()
  const showResult = useShowResult(selectionState)
  const { setLargeChange, ...largeChangeControls } = useLargeChange(showResult)
  const requestBody = buildBulkBody(search, selectionState.selection, totalCount)
  const loadIssueCount = useLoadIssueCount(search, selectionState)
  const changeFields = async (fields: IssueFields, getErrorText: (errorMessage: string) => string) =>
    (issueCount ?? (await loadIssueCount())) > maxUnconfirmedIssues
      ? setLargeChange({ fields, getErrorText, body: requestBody, selection: selectionState.selection })
      : changeMutation.mutate(
          { body: requestBody, fields },
          {
            onSuccess: (result) => showResult(result),
            onError: (error) => showToast('error', getErrorText(t(getProblemMessage(error))), { error }),
          },
        )
  return {
    ...largeChangeControls,
    isLarge: (issueCount ?? 0) > maxUnconfirmedIssues,
    setStatus: (status: SettableStatus) => {
      const statusName = t(statusLabels[status])
      void changeFields({ status }, (errorMessage) => t`Error while trying to set ${statusName} status: ${errorMessage}`)
    },
    ignore: (ignore: NewIgnore) =>
      void changeFields({ status: 'ignored', ignore }, (errorMessage) => t`Error while trying to ignore issues: ${errorMessage}`),
    mark: (isIssue: boolean) =>
      void changeFields({ markAsIssue: isIssue }, (errorMessage) =>
        isIssue
          ? t`Error while trying to mark as issues: ${errorMessage}`
          : t`Error while trying to unmark as issues: ${errorMessage}`,
      ),
    review: (answer: ReviewAnswer) =>
      void changeFields(
        { review: { answer, reason: '' } },
        (errorMessage) => t`Error while trying to review results: ${errorMessage}`,
      ),
    assign: (id: string) =>
      void changeFields(
        { assignedTo: id === '' ? null : id },
        (errorMessage) => t`Error while trying to assign issues: ${errorMessage}`,
      ),
    label: (name: string) =>
      void changeFields({ addLabels: [name] }, (errorMessage) => t`Error while trying to label issues: ${errorMessage}`),
    ticket: (url: string) =>
      void changeFields({ ticketUrl: url }, (errorMessage) => t`Error while trying to link issues to a ticket: ${errorMessage}`),
    remove: () => {
      const getErrorText = (errorMessage: string) => t`Error while trying to delete issues: ${errorMessage}`
      if ((issueCount ?? 0) > maxUnconfirmedIssues)
        return setLargeChange({ fields: null, getErrorText, body: requestBody, selection: selectionState.selection })
      deleteMutation.mutate(requestBody, {
        onSuccess: (result) => showResult(result, { isDeletion: true }),
        onError: (error) => showToast('error', getErrorText(t(getProblemMessage(error))), { error }),
      })
    },
  }
}
