import { useLingui } from '@lingui/react/macro'
import type { ApiKey } from '@clearway/contract/monitor/user/key/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState, Notice, QueryState, UnknownValue } from '../../../kit/page/states.tsx'
import { useSession } from '../model.ts'
import { EndKeyDialog } from '../parts/end-key-dialog.tsx'
import { KeyForm } from '../parts/key-form.tsx'
import { apiKeysQuery } from '../queries.ts'

type Row = z.output<typeof ApiKey>

/** /api-keys: one's own keys of the public API. */
export function ApiKeysPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const keys = useQuery(apiKeysQuery(api))
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const [ending, setEnding] = useState<Row | null>(null)
  const columns = useColumns(setEnding)
  return (
    <>
      <PageHead
        title={t`API keys`}
        productName={config.productName}
        facts={t`A key lets another program read what you see, and start runs, in your name.`}
      />
      <div className={layout.stack}>
        <div role="status">{made && <Made name={made.name} value={made.key} />}</div>
        <QueryState query={keys} loadingLabel={t`Loading`} failureTitle={t`The list could not be loaded.`} />
        {keys.data && (
          <div className={layout.card}>
            {keys.data.content.length === 0 ? (
              <EmptyState title={t`No keys yet`}>
                <p>{t`Create one below.`}</p>
              </EmptyState>
            ) : (
              <DataTable
                caption={t`API keys`}
                columns={columns}
                rows={keys.data.content}
                rowKey={({ id }) => id}
              />
            )}
          </div>
        )}
        {/* Not before what is above it: it would move away under the pointer. */}
        {!keys.isPending && <KeyForm onMade={setMade} />}
      </div>
      {ending && <EndKeyDialog apiKey={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

function Made({ name, value }: { name: string; value: string }) {
  const { t } = useLingui()
  return (
    <Notice kind="info" title={t`Key “${name}” created`}>
      <p>{t`Copy it now: it is not shown again.`}</p>
      <p className={layout.row}>
        <code translate="no" className={layout.break}>
          {value}
        </code>
        <CopyButton text={value}>{t`Copy`}</CopyButton>
      </p>
    </Notice>
  )
}

function useColumns(onEnd: (key: Row) => void): readonly Column<Row>[] {
  const { t } = useLingui()
  const { formatDate: date, formatDateTime: dateTime, formatList: list } = useFormats()
  const scopes = { read: t`Read`, run: t`Start and cancel runs` }
  return [
    { key: 'name', heading: t`Name`, isRowHeading: true, renderCell: ({ name, hint }) => `${name} (${hint}…)` },
    {
      key: 'scopes',
      heading: t`Permissions`,
      renderCell: (row) => list(row.scopes.map((scope) => scopes[scope])),
    },
    { key: 'created', heading: t`Created`, renderCell: ({ createdAt }) => date(createdAt) },
    {
      key: 'expires',
      heading: t`Ends`,
      renderCell: ({ expiresAt, expired }) => (expired ? t`Expired` : date(expiresAt)),
    },
    {
      key: 'used',
      heading: t`Last used`,
      renderCell: (row) => (row.usedAt ? dateTime(row.usedAt) : <UnknownValue label={t`Never`} />),
    },
    {
      key: 'actions',
      heading: t`Actions`,
      isHeadingHidden: true,
      renderCell: (row) => {
        const { name } = row
        return (
          <Button small label={t`Revoke key: ${name}`} onPress={() => onEnd(row)}>
            {t`Revoke…`}
          </Button>
        )
      },
    },
  ]
}
