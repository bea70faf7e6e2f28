import { Plural, useLingui } from '@lingui/react/macro'
import type { Issued } from '@clearway/contract/account/member/provider/schema.ts'
import type { Person } from '@clearway/contract/account/member/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { ListCard } from '../../../kit/list/card.tsx'
import { FilterChoice } from '../../../kit/list/filter-choice.tsx'
import { useRowActions } from '../../../kit/list/row-actions.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, Notice, UnknownValue } from '../../../kit/page/states.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../../monitor/user/model.ts'
import { peopleSearchDefaults } from '../model.ts'
import { getInitials } from '../model-initials.ts'
import { ActionDialog } from '../list/action-dialog.tsx'
import { InviteDialog } from '../list/invite-dialog.tsx'
import { IssuedNotice } from '../list/issued-notice.tsx'
import { RoleDialog } from '../list/role-dialog.tsx'
import { roleLabels, memberStateLabels } from '../list/labels.ts'
import { type PersonAction, directoryQuery, peopleQuery, usePeopleActions } from '../queries.ts'
import { getPersonName } from '../../../kit/text/person.ts'
import styles from '../list/notices.module.css'

const peopleRoute = getRouteApi('/admin/people')

type OpenDialog = { kind: 'invite' } | { kind: 'role'; person: Person } | { kind: 'action'; person: Person; action: PersonAction }

export function PeoplePage(): ReactNode {
  const { t } = useLingui()
  const userSession = useSession()
  const peopleSearch = peopleRoute.useSearch()
  const navigateTo = peopleRoute.useNavigate()
  const peopleList = useQuery(peopleQuery(userSession, peopleSearch))
  const peopleDirectory = useQuery(directoryQuery(userSession)).data
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [issuedLink, setIssuedLink] = useState<{ issued: Issued; name: string } | null>(null)
  const closeDialog = () => setOpenDialog(null)
  const totalCount = peopleList.data?.page.totalElements
  const tableColumns = usePeopleColumns(peopleDirectory?.embedded ?? false, setOpenDialog, setIssuedLink)
  const changeSearch = (newSearch: typeof peopleSearch) => void navigateTo({ search: newSearch })
  return (
    <>
      <PageHead
        title={t`People`}
        productName={userSession.config.productName}
        facts={totalCount !== undefined && <Plural value={totalCount} one="# person" other="# people" />}
        actions={peopleDirectory?.embedded && <PeopleHeadActions onInvite={() => setOpenDialog({ kind: 'invite' })} />}
      />
      <div className={styles.notices}>
        {peopleDirectory && !peopleDirectory.embedded && <ExternalDirectoryNotice url={peopleDirectory.manageUrl} />}
        <div role="status">{issuedLink && <IssuedNotice {...issuedLink} />}</div>
      </div>
      <ListCard
        caption={t`People`}
        placeholder={t`Name or email`}
        list={peopleList}
        columns={tableColumns}
        rowKey={({ id }) => id}
        search={peopleSearch}
        onChange={changeSearch}
        emptyState={<EmptyPeopleState filtered={peopleSearch.state !== ''} />}
        isFiltered={peopleSearch.state !== ''}
        filters={
          <FilterChoice
            label={t`Status`}
            value={peopleSearch.state}
            options={Object.entries(memberStateLabels).map(([state, word]) => [state, t(word)])}
            onChange={(state) => changeSearch({ ...peopleSearch, page: 1, state: state as typeof peopleSearch.state })}
          />
        }
      />
      {openDialog?.kind === 'invite' && (
        <InviteDialog
          onClose={closeDialog}
          onInvited={(issued, name) => {
            closeDialog()
            setIssuedLink({ issued, name })
          }}
        />
      )}
      {openDialog?.kind === 'role' && <RoleDialog person={openDialog.person} onClose={closeDialog} />}
      {openDialog?.kind === 'action' && (
        <ActionDialog person={openDialog.person} action={openDialog.action} onClose={closeDialog} />
      )}
    </>
  )
}

function PeopleHeadActions({ onInvite }: { onInvite: () => void }) {
  const { t } = useLingui()
  return (
    <>
      <Link to="/admin/people/import" className={getButtonClass()}>{t`Import a CSV file`}</Link>
      <Button kind="primary" icon="plus" onPress={onInvite}>{t`Invite a person`}</Button>
    </>
  )
}

function EmptyPeopleState({ filtered }: { filtered: boolean }) {
  const { t } = useLingui()
  return (
    <EmptyState
      title={filtered ? t`Nothing matches` : t`Nobody yet`}
      action={
        filtered && <Link to="/admin/people" search={peopleSearchDefaults} className={getButtonClass()}>{t`Clear all`}</Link>
      }
    >
      <p>{filtered ? t`No entries match the search.` : t`People appear here once they are invited, or have signed in.`}</p>
    </EmptyState>
  )
}

/** Explains that another identity provider manages the people, with a link to it. */
function ExternalDirectoryNotice({ url }: { url: string | null }) {
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

type ShowIssued = (issuedLink: { issued: Issued; name: string }) => void

function usePeopleColumns(
  isEmbedded: boolean,
  onOpen: (open: OpenDialog) => void,
  onIssued: ShowIssued,
): readonly Column<Person>[] {
  const { t } = useLingui()
  const { formatDateTime, formatRecent } = useFormats()
  const actionsColumn = usePersonActions(onOpen, onIssued)
  return [
    {
      key: 'name',
      heading: t`Name`,
      sortField: 'name',
      isRowHeading: true,
      renderCell: (person) => (
        <span className={styles.person}>
          <span className={styles.initials} aria-hidden="true">
            {getInitials(getPersonName(person))}
          </span>
          <span>
            <span className={`${layout.break} ${layout.strong}`}>{getPersonName(person)}</span>
            {person.email !== null && person.email !== getPersonName(person) && (
              <span className={`${layout.muted} ${layout.sm} ${layout.break} ${styles.email}`}>{person.email}</span>
            )}
          </span>
        </span>
      ),
    },
    { key: 'role', heading: t`Role`, sortField: 'role', renderCell: ({ role }) => t(roleLabels[role]) },
    {
      key: 'teams',
      heading: t`Teams`,
      isOptional: true,
      renderCell: ({ teams }) =>
        teams.length === 0 ? (
          <UnknownValue label={t`None`} />
        ) : (
          teams.map(({ id, name }, index) => (
            <Fragment key={id}>
              {index > 0 && ', '}
              <Link to="/admin/teams/$teamId/edit" params={{ teamId: id }} className={layout.break}>
                {name}
              </Link>
            </Fragment>
          ))
        ),
    },
    {
      key: 'seen',
      heading: t`Last seen`,
      sortField: 'seenAt',
      firstDirection: 'desc',
      renderCell: ({ seenAt }) =>
        seenAt ? (
          <time className={layout.moment} dateTime={seenAt} title={formatDateTime(seenAt)}>
            {formatRecent(seenAt)}
          </time>
        ) : (
          <span className={layout.muted}>{t`Never`}</span>
        ),
    },
    {
      key: 'state',
      heading: t`Status`,
      sortField: 'state',
      renderCell: ({ state }) => t(memberStateLabels[state]),
    },
    ...(isEmbedded ? [actionsColumn] : []),
  ]
}

function usePersonActions(onOpen: (open: OpenDialog) => void, onIssued: ShowIssued): Column<Person> {
  const { t } = useLingui()
  const showError = useShowError()
  const ownMemberId = useSession().member?.id
  const { createLink } = usePeopleActions()
  return useRowActions<Person>(getPersonName, (person) => {
    const createConfirmedAction = (action: PersonAction, text: string, isDestructive = false) => ({
      id: action,
      text,
      isDestructive,
      onAction: () => onOpen({ kind: 'action', person, action }),
    })
    const roleAction = { id: 'role', text: t`Change role…`, onAction: () => onOpen({ kind: 'role', person }) }
    const linkAction = {
      id: 'link',
      text: person.state === 'invited' ? t`Send a new invitation` : t`Reset password`,
      onAction: () =>
        createLink.mutate(person.id, {
          onSuccess: (issued) => onIssued({ issued, name: getPersonName(person) }),
          onError: showError,
        }),
    }
    const deleteAction = createConfirmedAction('delete', t`Delete…`, true)
    if (person.state === 'deactivated') return [createConfirmedAction('reactivate', t`Reactivate…`), deleteAction]
    if (person.state === 'invited') return [roleAction, linkAction, deleteAction]
    return [
      roleAction,
      linkAction,
      createConfirmedAction('end-sessions', t`Sign out everywhere…`),
      // Users turn off their own second factor in their account, with a code.
      ...(person.twoFactor === true && person.id !== ownMemberId
        ? [createConfirmedAction('remove-second-factor', t`Remove second factor…`, true)]
        : []),
      createConfirmedAction('deactivate', t`Deactivate…`, true),
      deleteAction,
    ]
  })
}
