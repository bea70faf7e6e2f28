import { Trans, useLingui } from '@lingui/react/macro'
import type { ViewId } from '@clearway/contract/kit/id.ts'
import { isSameQuery } from '@clearway/contract/monitor/view/model.ts'
import type { SavedView, ViewBody, ViewQuery, ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useRef, useState } from 'react'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import type { MenuGroup } from '../../../kit/menu/groups.ts'
import { MenuButton } from '../../../kit/menu/menu.tsx'
import layout from '../../../kit/page/layout.module.css'
import { withDeferredTexts } from '../../../kit/text/later-texts.ts'
import { useSession } from '../../user/model.ts'
import { viewQueryOf } from '../model.ts'
import { useDefaultViews, useOldViews, useSetDefaultView, useViewActions, viewsQuery } from '../queries.ts'
import styles from './saved-views.module.css'

const SaveDialog = lazy(() =>
  withDeferredTexts(import('./save-dialog.tsx')).then((m) => ({ default: m.SaveDialog })),
)
const DeleteViewDialog = lazy(() =>
  withDeferredTexts(import('./delete-dialog.tsx')).then((m) => ({ default: m.DeleteViewDialog })),
)

type Props<S extends ViewScreen> = {
  screen: S
  /** What the address bar says, and what it says by itself. */
  search: Readonly<Record<string, unknown>> & { saved?: ViewId | undefined }
  defaults: Readonly<Record<string, unknown>>
  onOpen: (query: ViewQuery<S>, saved: ViewId | undefined) => void
}

/** Filters and order of a list under a name: one's own, those of one's teams, and those for everybody. */
export function SavedViews<S extends ViewScreen>({ screen, search, defaults, onOpen }: Props<S>) {
  const { t } = useLingui()
  const { saved } = search
  const query = viewQueryOf(screen, search, defaults)
  const { api, permissions } = useSession()
  const toast = useToast()
  const views = useQuery({ ...viewsQuery(api, screen), enabled: !permissions.isGuest })
  const { save } = useViewActions()
  const standard = useDefaultChoice(screen)
  useOldViews(screen, defaults)
  const [open, setOpen] = useState<Open>(null)
  const [said, setSaid] = useState('')
  const host = useRef<HTMLSpanElement>(null)
  // The entry of the menu that opened a dialog is gone by now; the button that opens the menu stays.
  const close = () => {
    setOpen(null)
    requestAnimationFrame(() => host.current?.querySelector('button')?.focus())
  }
  const view = views.data?.find(({ id }) => id === saved)
  const isChanged = view !== undefined && !isSameQuery(view.query, query)
  if (permissions.isGuest || (!permissions.canSaveViews && views.data?.length === 0)) return null
  const go = (next: SavedView) => {
    const { name } = next
    onOpen(next.query as ViewQuery<S>, next.id)
    setSaid(t`View opened: ${name}`)
  }
  // What is for everybody is saved by administrators only, whoever began it.
  const mayKeep = ({ mayChange, audience }: SavedView) =>
    mayChange && (audience.kind !== 'everybody' || permissions.isAdmin)
  const showSaved = ({ name }: SavedView) => toast('confirmation', t`View saved: ${name}`)
  const keepChanges = (one: SavedView) =>
    save.mutate(
      { before: one, settings: { ...settingsOf(one), query } as ViewBody },
      {
        onSuccess: showSaved,
        onError: (error) => toast('error', t(getProblemMessage(error))),
      },
    )
  const action = (id: string, text: string, onAction: () => void, danger = false) => ({
    id,
    text,
    label: text,
    onAction,
    danger,
  })
  const actions = [
    ...(views.isError ? [action('again', t`Try again`, () => void views.refetch())] : []),
    ...(isChanged && mayKeep(view) ? [action('keep', t`Save changes`, () => keepChanges(view))] : []),
    ...(permissions.canSaveViews
      ? [action('save', t`Save this view…`, () => setOpen({ what: 'save' }))]
      : []),
    ...(view?.mayChange
      ? [
          action('edit', t`Rename or share view…`, () => setOpen({ what: 'edit', view })),
          action('delete', t`Delete view…`, () => setOpen({ what: 'delete', view }), true),
        ]
      : []),
    ...(view ? [action('default', ...standard.entryOf(view))] : []),
    ...(view ? [action('close', t`Close view`, () => onOpen({} as ViewQuery<S>, undefined))] : []),
  ]
  const title = views.isError
    ? t`The views could not be loaded.`
    : views.data === undefined
      ? t`Loading`
      : views.data.length === 0
        ? t`No saved views yet`
        : undefined
  const groups: MenuGroup[] = [
    ...groupsOf(views.data ?? [], { mine: t`Only me`, everybody: t`Everybody` }).map((group) => ({
      id: group.id,
      title: group.title,
      selectedId: saved ?? '',
      entries: group.views.map((one) => action(one.id, standard.nameOf(one), () => go(one))),
    })),
    { id: 'actions', ...(title !== undefined && { title }), entries: actions },
  ]
  return (
    <span ref={host} className={styles.views}>
      <MenuButton label={t`Saved views`} button={{ small: true, iconEnd: 'down' }} groups={groups}>
        {view ? <Chosen name={view.name} isChanged={isChanged} /> : t`Saved views`}
      </MenuButton>
      <span role="status" className={layout.hidden}>
        {said}
      </span>
      <ViewDialogs
        open={open}
        fresh={{ screen, query } as Fresh}
        onClose={close}
        onSaved={(done) => {
          close()
          showSaved(done)
          if (open?.what === 'save') onOpen(query, done.id)
        }}
        onDeleted={() => {
          close()
          onOpen(query, undefined)
        }}
      />
    </span>
  )
}

/** Which view a screen opens with: how it is marked, and how that is changed and taken back. */
function useDefaultChoice(screen: ViewScreen) {
  const { t } = useLingui()
  const toast = useToast()
  const { mutate } = useSetDefaultView()
  const now = useDefaultViews().views.find((one) => one.screen === screen)?.view ?? null
  const isDefault = ({ id }: SavedView) => id === now?.id
  const set = (next: SavedView | null, before: SavedView | null) => {
    const name = next?.name ?? ''
    const done =
      next === null ? t`This list opens without a view.` : t`This list opens with the view “${name}”.`
    mutate(
      { screen, viewId: next?.id ?? null },
      {
        onSuccess: () => toast('confirmation', done, () => set(before, next)),
        onError: (error) => toast('error', t(getProblemMessage(error))),
      },
    )
  }
  return {
    nameOf: (view: SavedView) => {
      const { name } = view
      return isDefault(view) ? t`${name} (default)` : name
    },
    entryOf: (view: SavedView): [text: string, onAction: () => void] =>
      isDefault(view)
        ? [t`Remove as default view`, () => set(null, view)]
        : [t`Make default view`, () => set(view, now)],
  }
}

/** What is asked; of a view as it was when its dialog opened, so that a save meets what somebody else changed since. */
type Open = { what: 'save' } | { what: 'edit' | 'delete'; view: SavedView } | null
type Fresh = Pick<ViewBody, 'screen' | 'query'>
type DialogsProps = {
  open: Open
  fresh: Fresh
  onClose: () => void
  onSaved: (view: SavedView) => void
  onDeleted: () => void
}

function ViewDialogs({ open, fresh, onClose, onSaved, onDeleted }: DialogsProps) {
  if (open === null) return null
  return (
    <Suspense fallback={null}>
      {open.what === 'delete' ? (
        <DeleteViewDialog view={open.view} onClose={onClose} onDeleted={onDeleted} />
      ) : (
        <SaveDialog
          view={open.what === 'edit' ? open.view : null}
          fresh={fresh}
          onClose={onClose}
          onSaved={onSaved}
        />
      )}
    </Suspense>
  )
}

function Chosen({ name, isChanged }: { name: string; isChanged: boolean }) {
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

const settingsOf = ({ name, audience, screen, query }: SavedView) => ({ name, audience, screen, query })

type Group = { id: string; title: string; views: SavedView[] }

/** One's own views first, then those of each team, then those for everybody. */
function groupsOf(views: readonly SavedView[], words: { mine: string; everybody: string }): Group[] {
  const groups = new Map<string, Group>()
  const rank = { me: 0, team: 1, everybody: 2 }
  const sorted = views.toSorted(
    (a, b) =>
      rank[a.audience.kind] - rank[b.audience.kind] || (a.teamName ?? '').localeCompare(b.teamName ?? ''),
  )
  for (const view of sorted) {
    const { kind } = view.audience
    const id = view.audience.kind === 'team' ? `team ${view.audience.teamId}` : kind
    const title = kind === 'me' ? words.mine : kind === 'team' ? (view.teamName ?? '') : words.everybody
    const group = groups.get(id) ?? { id, title, views: [] }
    group.views.push(view)
    groups.set(id, group)
  }
  return [...groups.values()]
}
