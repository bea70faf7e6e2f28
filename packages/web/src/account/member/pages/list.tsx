import { Plural, useLingui } from '@lingui/react/macro'
import type { Issued } from '@clearway/contract/account/member/provider/schema.ts'
import type { Person } from '@clearway/contract/account/member/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { ListCard } from '../../../kit/list/card.tsx'
import { FilterChoice } from '../../../kit/list/filter-choice.tsx'
import { useRowActions } from '../../../kit/list/row-actions.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, Notice, Unknown } from '../../../kit/page/states.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../../monitor/user/model.ts'
import { peopleSearchDefaults } from '../model.ts'
import { ActionDialog } from '../parts/action-dialog.tsx'
import { InviteDialog } from '../parts/invite-dialog.tsx'
import { IssuedNotice } from '../parts/issued.tsx'
import { RoleDialog } from '../parts/role-dialog.tsx'
import { roleWords, stateWords } from '../parts/words.ts'
import type { PersonAction } from '../queries.ts'
import { directoryQuery, peopleQuery, usePeopleActions } from '../queries.ts'
import { nameOfPerson } from '../../../kit/text/person.ts'

const route = getRouteApi('/admin/people')

type Open =
  | { kind: 'invite' }
  | { kind: 'role'; person: Person }
  | { kind: 'action'; person: Person; action: PersonAction }

/** /admin/people: everybody who has an account. */
export function PeoplePage(): ReactNode {
  const { t } = useLingui()
  const session = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(peopleQuery(session, search))
  const directory = useQuery(directoryQuery(session)).data
  const [open, setOpen] = useState<Open | null>(null)
  const [issued, setIssued] = useState<{ issued: Issued; name: string } | null>(null)
  const close = () => setOpen(null)
  const total = list.data?.page.totalElements
  const columns = useColumns(directory?.embedded ?? false, setOpen, setIssued)
  const change = (next: typeof search) => void navigate({ search: next })
  return (
    <>
      <PageHead
        title={t`People`}
        productName={session.config.productName}
        facts={total !== undefined && <Plural value={total} one="# person" other="# people" />}
        actions={directory?.embedded && <HeadActions onInvite={() => setOpen({ kind: 'invite' })} />}
      />
      <div className={layout.stack}>
        {directory && !directory.embedded && <Elsewhere url={directory.manageUrl} />}
        <div role="status">{issued && <IssuedNotice {...issued} />}</div>
        <ListCard
          caption={t`People`}
          placeholder={t`Name or email`}
          list={list}
          columns={columns}
          rowKey={({ id }) => id}
          search={search}
          onChange={change}
          empty={<NoPeople filtered={search.state !== ''} />}
          isFiltered={search.state !== ''}
          filters={
            <FilterChoice
              label={t`Status`}
              value={search.state}
              options={Object.entries(stateWords).map(([state, word]) => [state, t(word)])}
              onChange={(state) => change({ ...search, page: 1, state: state as typeof search.state })}
            />
          }
        />
      </div>
      {open?.kind === 'invite' && (
        <InviteDialog
          onClose={close}
          onInvited={(made, name) => {
            close()
            setIssued({ issued: made, name })
          }}
        />
      )}
      {open?.kind === 'role' && <RoleDialog person={open.person} onClose={close} />}
      {open?.kind === 'action' && <ActionDialog person={open.person} action={open.action} onClose={close} />}
    </>
  )
}

function HeadActions({ onInvite }: { onInvite: () => void }) {
  const { t } = useLingui()
  return (
    <>
      <Link to="/admin/people/import" className={getButtonClass()}>{t`Import…`}</Link>
      <Button kind="primary" icon="plus" onPress={onInvite}>{t`Invite a person`}</Button>
    </>
  )
}

function NoPeople({ filtered }: { filtered: boolean }) {
  const { t } = useLingui()
  return (
    <EmptyState
      title={filtered ? t`Nothing matches` : t`Nobody yet`}
      action={
        filtered && (
          <Link
            to="/admin/people"
            search={peopleSearchDefaults}
            className={getButtonClass()}
          >{t`Clear all`}</Link>
        )
      }
    >
      <p>
        {filtered
          ? t`No entries match the search.`
          : t`People appear here once they are invited, or have signed in.`}
      </p>
    </EmptyState>
  )
}

/** Says that another identity provider manages the people, and leads there. */
function Elsewhere({ url }: { url: string | null }) {
  const { t } = useLingui()
  return (
    <Notice kind="info" title={t`Your identity provider manages these people`}>
      <p>{t`The identity provider invites and deactivates people, and assigns the roles. Teams are managed here. People are listed once they have signed in.`}</p>
      {url && (
        <p>
          <a href={url}>{t`Open the identity provider`}</a>
        </p>
      )}
    </Notice>
  )
}

type ShowIssued = (shown: { issued: Issued; name: string }) => void

function useColumns(
  embedded: boolean,
  onOpen: (open: Open) => void,
  onIssued: ShowIssued,
): readonly Column<Person>[] {
  const { t } = useLingui()
  const { dateTime, list } = useFormats()
  const actions = usePersonActions(onOpen, onIssued)
  return [
    { key: 'name', head: t`Name`, sort: 'name', rowHead: true, cell: nameOfPerson },
    {
      key: 'email',
      head: t`Email`,
      sort: 'email',
      cell: ({ email }) =>
        email === null ? <Unknown label={t`None`} /> : <span className={layout.break}>{email}</span>,
    },
    { key: 'role', head: t`Role`, sort: 'role', cell: ({ role }) => t(roleWords[role]) },
    {
      key: 'teams',
      head: t`Teams`,
      cell: ({ teams }) =>
        teams.length > 0 ? list(teams.map(({ name }) => name)) : <Unknown label={t`None`} />,
    },
    {
      key: 'seen',
      head: t`Last seen`,
      sort: 'seenAt',
      first: 'desc',
      cell: ({ seenAt }) => (seenAt ? dateTime(seenAt) : <Unknown label={t`Never`} />),
    },
    { key: 'state', head: t`Status`, sort: 'state', cell: ({ state }) => t(stateWords[state]) },
    ...(embedded ? [actions] : []),
  ]
}

/** What can be done with an account, by its state. */
function usePersonActions(onOpen: (open: Open) => void, onIssued: ShowIssued): Column<Person> {
  const { t } = useLingui()
  const toast = useToast()
  const own = useSession().member?.id
  const { makeLink } = usePeopleActions()
  return useRowActions<Person>(nameOfPerson, (person) => {
    const ask = (action: PersonAction, text: string, danger = false) => ({
      id: action,
      text,
      danger,
      onAction: () => onOpen({ kind: 'action', person, action }),
    })
    const role = { id: 'role', text: t`Change role…`, onAction: () => onOpen({ kind: 'role', person }) }
    const link = {
      id: 'link',
      text: person.state === 'invited' ? t`Send a new invitation` : t`Reset password`,
      onAction: () =>
        makeLink.mutate(person.id, {
          onSuccess: (issued) => onIssued({ issued, name: nameOfPerson(person) }),
          onError: (error) => toast('error', t(getProblemMessage(error))),
        }),
    }
    const remove = ask('delete', t`Delete…`, true)
    if (person.state === 'deactivated') return [ask('reactivate', t`Reactivate…`), remove]
    if (person.state === 'invited') return [role, link, remove]
    return [
      role,
      link,
      ask('end-sessions', t`Sign out everywhere…`),
      // One's own is turned off in one's own account, by a code.
      ...(person.twoFactor === true && person.id !== own
        ? [ask('remove-second-factor', t`Remove second factor…`, true)]
        : []),
      ask('deactivate', t`Deactivate…`, true),
      remove,
    ]
  })
}
