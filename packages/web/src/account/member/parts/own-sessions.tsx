import { useLingui } from '@lingui/react/macro'
import type { OwnAccount, OwnSession } from '@clearway/contract/account/member/provider/schema.ts'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import layout from '../../../kit/page/layout.module.css'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { deviceOf } from '../model-device.ts'
import { useOwnActions } from '../queries.ts'

/** Where one is signed in, and the way out of each. */
export function OwnSessions({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  const toast = useToast()
  const { endAll } = useOwnActions()
  const end = () =>
    endAll.mutate(undefined, {
      onSuccess: () => location.reload(),
      onError: (error) => toast('error', t(getProblemMessage(error))),
    })
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Sessions`}>
      <h2>{t`Sessions`}</h2>
      <DataTable
        caption={t`Sessions`}
        columns={useColumns()}
        rows={account.sessions}
        rowKey={({ id }) => id}
      />
      <div>
        <Button kind="danger" pending={endAll.isPending} onPress={end}>{t`Sign out everywhere`}</Button>
      </div>
    </section>
  )
}

function useColumns(): readonly Column<OwnSession>[] {
  const { t } = useLingui()
  const toast = useToast()
  const { dateTime } = useFormats()
  const { endOne } = useOwnActions()
  return [
    {
      key: 'device',
      head: t`Device`,
      rowHead: true,
      cell: ({ agent, isCurrent }) => {
        const device = deviceOf(agent) || t`Unknown device`
        return isCurrent ? t`${device} (this one)` : device
      },
    },
    { key: 'address', head: t`Address`, cell: ({ address }) => address },
    { key: 'started', head: t`Signed in`, cell: ({ startedAt }) => dateTime(startedAt) },
    { key: 'seen', head: t`Last seen`, cell: ({ seenAt }) => dateTime(seenAt) },
    {
      key: 'actions',
      head: t`Actions`,
      quiet: true,
      cell: ({ id, agent, isCurrent, startedAt }) => {
        if (isCurrent) return null
        // Two sessions of one kind of device differ by when they began.
        const device = `${deviceOf(agent) || t`Unknown device`}, ${dateTime(startedAt)}`
        return (
          <Button
            small
            label={t`Sign out: ${device}`}
            onPress={() =>
              endOne.mutate(id, {
                onSuccess: () => toast('confirmation', t`Signed out: ${device}`),
                onError: (error) => toast('error', t(getProblemMessage(error))),
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
