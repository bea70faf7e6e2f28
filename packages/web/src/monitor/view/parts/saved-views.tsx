import { Trans, useLingui } from '@lingui/react/macro'
import type { ViewId } from '@clearway/contract/kit/id.ts'
import { isSameQuery } from '@clearway/contract/monitor/view/model.ts'
import type { SavedView, ViewBody, ViewQuery, ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useRef, useState } from 'react'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { createMenuEntry, type MenuGroup } from '../../../kit/menu/groups.ts'
import { MenuButton } from '../../../kit/menu/menu.tsx'
import layout from '../../../kit/page/layout.module.css'
import { withDeferredTexts } from '../../../kit/text/deferred-texts.ts'
import { useSession } from '../../user/model.ts'
import { toViewQuery } from '../model.ts'
import { useDefaultViews, useOldViewMigration, useSetDefaultView, useViewActions, viewsQuery } from '../queries.ts'
import styles from './saved-views.module.css'

const SaveDialog = lazy(() => withDeferredTexts(import('./save-dialog.tsx')).then((module) => ({ default: module.SaveDialog })))
const DeleteViewDialog = lazy(() =>
  withDeferredTexts(import('./delete-dialog.tsx')).then((module) => ({ default: module.DeleteViewDialog })),
)

type SavedViewsProps<S extends ViewScreen> = {
  screen: S
  /** Current URL parameters and their defaults. */
  search: Readonly<Record<string, unknown>> & { saved?: ViewId | undefined }
  defaults: Readonly<Record<string, unknown>>
  onOpen: (query: ViewQuery<S>, saved: ViewId | undefined) => void
}

/** Named filters and sort orders of a list: the user's own, those of their teams, and those for everyone. */
export function SavedViews<S extends ViewScreen>({ screen, search, defaults, onOpen }: SavedViewsProps<S>) {
  const { t } = useLingui()
  const { saved: openViewId } = search
  const viewQuery = toViewQuery(screen, search, defaults)
  const { api: apiClient, permissions } = useSession()
  const showToast = useToast()
  const showError = useShowError()
  const viewsResult = useQuery({ ...viewsQuery(apiClient, screen), enabled: !permissions.isGuest })
  const { saveMutation } = useViewActions()
  const defaultChoice = useDefaultChoice(screen)
  useOldViewMigration(screen, defaults)
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const [announcement, setAnnouncement] = useState('')
  const hostRef = useRef<HTMLSpanElement>(null)
  // The menu entry that opened the dialog no longer exists; the menu button does.
  const closeDialog = () => {
    setOpenDialog(null)
    requestAnimationFrame(() => hostRef.current?.querySelector('button')?.focus())
  }
  const openView = viewsResult.data?.find(({ id }) => id === openViewId)
  const isChanged = openView !== undefined && !isSameQuery(openView.query, viewQuery)
  if (permissions.isGuest || (!permissions.canSaveViews && viewsResult.data?.length === 0)) return null
  const applyView = (viewToOpen: SavedView) => {
    const { name: viewName } = viewToOpen
    onOpen(viewToOpen.query as ViewQuery<S>, viewToOpen.id)
    setAnnouncement(t`View opened: ${viewName}`)
  }
  // Only administrators save changes of views for everyone, including their authors' views.
  const canKeepChanges = ({ mayChange, audience }: SavedView) =>
    mayChange && (audience.kind !== 'everybody' || permissions.isAdmin)
  const showSaved = ({ name }: SavedView) => showToast('confirmation', t`View saved: ${name}`)
  const saveChanges = (changedView: SavedView) =>
    saveMutation.mutate(
      { storedView: changedView, settings: { ...toViewSettings(changedView), query: viewQuery } as ViewBody },
      {
        onSuccess: showSaved,
        onError: showError,
      },
    )
  const viewActions = [
    ...(viewsResult.isError ? [createMenuEntry('again', t`Try again`, () => void viewsResult.refetch())] : []),
    ...(isChanged && canKeepChanges(openView) ? [createMenuEntry('keep', t`Save changes`, () => saveChanges(openView))] : []),
    ...(permissions.canSaveViews ? [createMenuEntry('save', t`Save this view…`, () => setOpenDialog({ what: 'save' }))] : []),
    ...(openView?.mayChange
      ? [
          createMenuEntry('edit', t`Rename or share view…`, () => setOpenDialog({ what: 'edit', view: openView })),
          createMenuEntry('delete', t`Delete view…`, () => setOpenDialog({ what: 'delete', view: openView }), true),
        ]
      : []),
    ...(openView ? [createMenuEntry('default', ...defaultChoice.getMenuEntry(openView))] : []),
    ...(openView ? [createMenuEntry('close', t`Close view`, () => onOpen({} as ViewQuery<S>, undefined))] : []),
  ]
  const groupTitle = viewsResult.isError
    ? t`The views could not be loaded.`
    : viewsResult.data === undefined
      ? t`Loading`
      : viewsResult.data.length === 0
        ? t`No saved views yet`
        : undefined
  const menuGroups: MenuGroup[] = [
    ...groupViews(viewsResult.data ?? [], { mine: t`Only me`, everybody: t`Everyone` }).map((group) => ({
      id: group.id,
      title: group.title,
      selectedId: openViewId ?? '',
      entries: group.views.map((listedView) =>
        createMenuEntry(listedView.id, defaultChoice.getLabel(listedView), () => applyView(listedView)),
      ),
    })),
    { id: 'actions', ...(groupTitle !== undefined && { title: groupTitle }), entries: viewActions },
  ]
  return (
    <span ref={hostRef} className={styles.views}>
      <MenuButton label={t`Saved views`} button={{ small: true, iconEnd: 'down' }} groups={menuGroups}>
        {openView ? <OpenViewName name={openView.name} isChanged={isChanged} /> : t`Saved views`}
      </MenuButton>
      <span role="status" className={layout.hidden}>
        {announcement}
      </span>
      <ViewDialogs
        open={openDialog}
        newViewContent={{ screen, query: viewQuery } as NewViewContent}
        onClose={closeDialog}
        onSaved={(done) => {
          closeDialog()
          showSaved(done)
          if (openDialog?.what === 'save') onOpen(viewQuery, done.id)
        }}
        onDeleted={() => onOpen(viewQuery, undefined)}
      />
    </span>
  )
}

/** Default view of a screen: its mark, and the action to set or remove it with Undo. */
function useDefaultChoice(screen: ViewScreen) {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const { mutate: setDefaultView } = useSetDefaultView()
  const currentDefault = useDefaultViews().views.find((candidate) => candidate.screen === screen)?.view ?? null
  const isDefault = ({ id }: SavedView) => id === currentDefault?.id
  const changeDefault = (newDefault: SavedView | null, previousDefault: SavedView | null) => {
    const viewName = newDefault?.name ?? ''
    const doneText = newDefault === null ? t`This list opens without a view.` : t`This list opens with the view “${viewName}”.`
    setDefaultView(
      { screen, viewId: newDefault?.id ?? null },
      {
        onSuccess: () => showToast('confirmation', doneText, () => changeDefault(previousDefault, newDefault)),
        onError: showError,
      },
    )
  }
  return {
    getLabel: (view: SavedView) => {
      const { name: viewName } = view
      return isDefault(view) ? t`${viewName} (default)` : viewName
    },
    getMenuEntry: (view: SavedView): [text: string, onAction: () => void] =>
      isDefault(view)
        ? [t`Remove as default view`, () => changeDefault(null, view)]
        : [t`Make default view`, () => changeDefault(view, currentDefault)],
  }
}

/** Open dialog with the view at the time of opening, so that saving detects concurrent changes. */
type OpenDialog = { what: 'save' } | { what: 'edit' | 'delete'; view: SavedView } | null
type NewViewContent = Pick<ViewBody, 'screen' | 'query'>
type ViewDialogsProps = {
  open: OpenDialog
  newViewContent: NewViewContent
  onClose: () => void
  onSaved: (view: SavedView) => void
  onDeleted: () => void
}

function ViewDialogs({ open, newViewContent, onClose, onSaved, onDeleted }: ViewDialogsProps) {
  if (open === null) return null
  return (
    <Suspense fallback={null}>
      {open.what === 'delete' ? (
        <DeleteViewDialog view={open.view} onClose={onClose} onDeleted={onDeleted} />
      ) : (
        <SaveDialog
          view={open.what === 'edit' ? open.view : null}
          newViewContent={newViewContent}
          onClose={onClose}
          onSaved={onSaved}
        />
      )}
    </Suspense>
  )
}

function OpenViewName({ name, isChanged }: { name: string; isChanged: boolean }) {
  return (
    <span className={styles.chosen}>
      {isChanged ? (
        <Trans>
          View: <strong>{name}</strong> (changed)
        </Trans>
      ) : (
        <Trans>
          View: <strong>{name}</strong>
        </Trans>
      )}
    </span>
  )
}

const toViewSettings = ({ name, audience, screen, query }: SavedView) => ({ name, audience, screen, query })

type ViewGroup = { id: string; title: string; views: SavedView[] }

/** Groups views: the user's own first, then those of each team, then those for everyone. */
function groupViews(views: readonly SavedView[], groupLabels: { mine: string; everybody: string }): ViewGroup[] {
  const groupsById = new Map<string, ViewGroup>()
  const audienceRank = { me: 0, team: 1, everybody: 2 }
  const sortedViews = views.toSorted(
    (a, b) => audienceRank[a.audience.kind] - audienceRank[b.audience.kind] || (a.teamName ?? '').localeCompare(b.teamName ?? ''),
  )
  for (const view of sortedViews) {
    const { kind: audienceKind } = view.audience
    const groupId = view.audience.kind === 'team' ? `team ${view.audience.teamId}` : audienceKind
    const groupTitle =
      audienceKind === 'me' ? groupLabels.mine : audienceKind === 'team' ? (view.teamName ?? '') : groupLabels.everybody
    const viewGroup = groupsById.get(groupId) ?? { id: groupId, title: groupTitle, views: [] }
    viewGroup.views.push(view)
    groupsById.set(groupId, viewGroup)
  }
  return [...groupsById.values()]
}
