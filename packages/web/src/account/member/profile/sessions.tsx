import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { OwnAccount, OwnSession } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import layout from '../../../kit/page/layout.module.css'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { describeDevice } from '../model-device.ts'
import { useOwnActions } from '../queries.ts'

/** Number of sessions that are listed at first. */
const listedCount = 3

/** The current session, then the most recently used ones. */
const sortSessions = (sessions: readonly OwnSession[]): OwnSession[] =>
  sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || Date.parse(b.seenAt) - Date.parse(a.seenAt))

export function OwnSessions({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  const showError = useShowError()
  const { endAllSessions } = useOwnActions()
  const [areAllListed, setAreAllListed] = useState(false)
  const sessionCount = account.sessions.length
  const signOutEverywhere = () =>
    endAllSessions.mutate(undefined, {
      onSuccess: () => location.reload(),
      onError: showError,
    })
  return (
    <section className={layout.card} aria-label={t`Sessions`}>
      <div className={`${layout.pad} ${layout.row}`}>
        <h2>{t`Sessions`}</h2>
        <span className={layout.end}>
          <Button small pending={endAllSessions.isPending} onPress={signOutEverywhere}>{t`Sign out everywhere`}</Button>
        </span>
      </div>
      <DataTable
        caption={t`Sessions`}
        columns={useSessionColumns()}
        rows={sortSessions(account.sessions).slice(0, areAllListed ? undefined : listedCount)}
        rowKey={({ id }) => id}
      />
      {sessionCount > listedCount && (
        <div className={layout.pad}>
          <Button small expanded={areAllListed} onPress={() => setAreAllListed(!areAllListed)}>
            {areAllListed ? t`Show fewer` : t`${plural(sessionCount, { one: 'Show # session', other: 'Show all # sessions' })}`}
          </Button>
        </div>
      )}
    </section>
  )
}

function useSessionColumns(): readonly Column<OwnSession>[] {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const { formatDateTime } = useFormats()
  const { endSession } = useOwnActions()
  return [
    {
      key: 'device',
      heading: t`Device`,
      isRowHeading: true,
      renderCell: ({ agent, isCurrent }) => {
        const deviceName = describeDevice(agent) || t`Unknown device`
        return isCurrent ? t`${deviceName} (this one)` : deviceName
      },
    },
    { key: 'address', heading: t`Address`, renderCell: ({ address }) => address },
    { key: 'started', heading: t`Signed in`, renderCell: ({ startedAt }) => formatDateTime(startedAt) },
    { key: 'seen', heading: t`Last seen`, renderCell: ({ seenAt }) => formatDateTime(seenAt) },
    {
      key: 'actions',
      heading: t`Actions`,
      isHeadingHidden: true,
      isNumeric: true,
      renderCell: ({ id, agent, isCurrent, startedAt }) => {
        if (isCurrent) return null
        // The start time distinguishes sessions of similar devices.
        const deviceLabel = `${describeDevice(agent) || t`Unknown device`}, ${formatDateTime(startedAt)}`
        return (
          <Button
            small
            label={t`Sign out: ${deviceLabel}`}
            onPress={() =>
              endSession.mutate(id, {
                onSuccess: () => showToast('confirmation', t`Signed out: ${deviceLabel}`),
                onError: showError,
              })
            }
          >
            {t`Sign out`}
          </Button>
        )
      },
    },
  ]
}
