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
import { rowsOf, type IssueSearch } from '../model.ts'
import { bulkBody, selectedCountQuery, useIssueBulk } from '../queries.ts'
import { AssignDialog, DeleteIssuesDialog, LabelDialog, TicketDialog } from './dialogs.tsx'
import { IssueExport } from '../parts/export.tsx'
import { statusWords } from '../parts/words.ts'

type Props = { search: IssueSearch; selected: SelectionState; total: number; download: DownloadState }
const statuses = ['open', 'fixed', 'ignored'] as const

/** What can be done with many issues at once; each says how many it changed and how many it left alone. */
export function IssueBulk({ search, selected, total, download }: Props) {
  const { t } = useLingui()
  const { api, permissions } = useSession()
  const [asked, setAsked] = useState<{
    kind: 'assign' | 'label' | 'ticket' | 'delete'
    of: Selection
  } | null>(null)
  const act = useBulkActions(search, selected)
  const { selection } = selected
  // Whoever goes back in the history while a dialog is open has ticked something else, or nothing: it was not asked about that.
  const dialog = asked?.of === selection ? asked.kind : null
  const setDialog = (kind: NonNullable<typeof asked>['kind'] | null) =>
    setAsked(kind && { kind, of: selection })
  const count = useQuery({
    ...selectedCountQuery(api, search, selection),
    enabled: selected.countSelected(total) > 0,
  }).data?.count
  if (permissions.isGuest) return null
  const entry = (id: string, text: string, onAction: () => void, danger = false) => ({
    id,
    text,
    label: text,
    onAction,
    danger,
  })
  return (
    <>
      <BulkBar
        selectionState={selected}
        total={total}
        {...(rowsOf(search) !== 'issue' && {
          groups: count === undefined ? '' : <Plural value={count} one="# issue" other="# issues" />,
        })}
      >
        <MenuButton
          label={t`Set status`}
          button={{ small: true, iconEnd: 'down' }}
          groups={[
            {
              id: 'status',
              entries: statuses.map((status) =>
                entry(status, t(statusWords[status]), () => act.setStatus(status)),
              ),
            },
          ]}
        >
          {t`Set status`}
        </MenuButton>
        <Button small onPress={() => setDialog('assign')}>{t`Assign…`}</Button>
        <MenuButton
          label={t`More actions`}
          button={{ small: true, iconEnd: 'down' }}
          groups={[
            {
              id: 'mark',
              entries: [
                entry('mark', t`Mark as issues`, () => act.mark(true)),
                entry('unmark', t`Mark as not issues`, () => act.mark(false)),
                entry('label', t`Add a label…`, () => setDialog('label')),
                entry('ticket', t`Link to a ticket…`, () => setDialog('ticket')),
                entry('delete', t`Delete…`, () => setDialog('delete'), true),
              ],
            },
          ]}
        >
          {t`More actions`}
        </MenuButton>
        <IssueExport search={search} selection={selection} download={download}>
          {t`Export selection`}
        </IssueExport>
      </BulkBar>
      {dialog === 'assign' && (
        <AssignDialog
          search={search}
          selection={selection}
          onClose={() => setDialog(null)}
          onAssign={act.assign}
        />
      )}
      {dialog === 'label' && <LabelDialog onClose={() => setDialog(null)} onSet={act.label} />}
      {dialog === 'ticket' && <TicketDialog onClose={() => setDialog(null)} onSet={act.ticket} />}
      {dialog === 'delete' && (
        <DeleteIssuesDialog
          count={count ?? selected.countSelected(total)}
          onClose={() => setDialog(null)}
          onDelete={act.remove}
        />
      )}
    </>
  )
}

/** Takes back a change of many issues, and names those that were changed by somebody since. */
function useTakeBackMany() {
  const { t, i18n } = useLingui()
  const toast = useToast()
  const { undo } = useIssueBulk()
  const titleOf = useRuleTitle(i18n.locale)
  return (id: string) =>
    // Also when somebody has gone to another screen meanwhile.
    undo.mutateAsync(id).then(
      ({ restored, left, named }) => {
        const said = t`${plural(restored, { one: '# issue restored.', other: '# issues restored.' })}`
        if (left === 0) return toast('confirmation', said)
        const names = [...new Set(named.map(({ rule }) => titleOf(rule, rule)))].join(', ')
        const not =
          names === ''
            ? t`${plural(left, {
                one: '# was changed or deleted since and was not restored.',
                other: '# were changed or deleted since and were not restored.',
              })}`
            : t`${plural(left, {
                one: `# was changed or deleted since and was not restored: ${names}.`,
                other: `# were changed or deleted since and were not restored: ${names}.`,
              })}`
        toast('caution', `${said} ${not}`)
      },
      (error: unknown) => {
        const errorMessage = t(getProblemMessage(error))
        toast('error', t`Error while trying to undo: ${errorMessage}`)
      },
    )
}

/** The actions, each with what it says afterwards. */
function useBulkActions(search: IssueSearch, selected: SelectionState) {
  const { t } = useLingui()
  const toast = useToast()
  const { change, remove } = useIssueBulk()
  const takeBack = useTakeBackMany()
  const body = bulkBody(search, selected.selection)
  const showResult = (
    { changed, skipped, undo = null }: { changed: number; skipped: number; undo?: string | null },
    said: string,
  ) => {
    const onUndo = undo === null ? undefined : () => void takeBack(undo)
    if (skipped === 0) toast('confirmation', said, onUndo)
    else
      toast(
        'caution',
        `${said} ${t`${plural(skipped, {
          one: '# was skipped: your role on its scan does not allow it.',
          other: '# were skipped: your role on their scan does not allow it.',
        })}`}`,
        onUndo,
      )
    if (changed > 0) selected.clearSelection()
  }
  const set = (fields: IssueFields, failed: (why: string) => string) =>
    change.mutate(
      { body, fields },
      {
        onSuccess: (result) => {
          const { changed } = result
          showResult(result, t`${plural(changed, { one: '# issue changed.', other: '# issues changed.' })}`)
        },
        onError: (error) => toast('error', failed(t(getProblemMessage(error)))),
      },
    )
  return {
    setStatus: (status: (typeof statuses)[number]) => {
      const word = t(statusWords[status])
      set({ status }, (errorMessage) => t`Error while trying to set ${word} status: ${errorMessage}`)
    },
    mark: (isIssue: boolean) =>
      set({ markAsIssue: isIssue }, (errorMessage) =>
        isIssue
          ? t`Error while trying to mark as issues: ${errorMessage}`
          : t`Error while trying to unmark as issues: ${errorMessage}`,
      ),
    assign: (id: string) =>
      set(
        { assignedTo: id === '' ? null : id },
        (errorMessage) => t`Error while trying to assign issues: ${errorMessage}`,
      ),
    label: (name: string) =>
      set({ addLabels: [name] }, (errorMessage) => t`Error while trying to label issues: ${errorMessage}`),
    ticket: (url: string) =>
      set(
        { ticketUrl: url },
        (errorMessage) => t`Error while trying to link issues to a ticket: ${errorMessage}`,
      ),
    remove: () =>
      remove.mutate(body, {
        onSuccess: (result) => {
          const { changed } = result
          showResult(result, t`${plural(changed, { one: '# issue deleted.', other: '# issues deleted.' })}`)
        },
        onError: (error) => {
          const errorMessage = t(getProblemMessage(error))
          toast('error', t`Error while trying to delete issues: ${errorMessage}`)
        },
      }),
  }
}
