import { useLingui } from '@lingui/react/macro'
import type { ApiKey } from '@clearway/contract/monitor/user/key/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState, Notice, QueryState, UnknownValue } from '../../../kit/page/states.tsx'
import { useSession } from '../model.ts'
import { EndKeyDialog } from '../key/end-key-dialog.tsx'
import { scopeLabels } from '../key/scope-labels.ts'
import { KeyForm } from '../key/key-form.tsx'
import { apiKeysQuery } from '../queries.ts'

type ApiKeyRow = z.output<typeof ApiKey>

export function ApiKeysPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const apiKeys = useQuery(apiKeysQuery(apiClient))
  const [createdKey, setCreatedKey] = useState<{ name: string; key: string } | null>(null)
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKeyRow | null>(null)
  const keyColumns = useApiKeyColumns(setKeyToRevoke)
  return (
    <>
      <PageHead
        title={t`API keys`}
        productName={appConfig.productName}
        facts={t`A key lets another program act in your name: read, start runs, or manage scans, as you choose.`}
      />
      <div className={layout.stack}>
        <div role="status">{createdKey && <CreatedKeyNotice name={createdKey.name} value={createdKey.key} />}</div>
        <QueryState query={apiKeys} loadingLabel={t`Loading`} failureTitle={t`The list could not be loaded.`} />
        {apiKeys.data && (
          <div className={layout.card}>
            {apiKeys.data.content.length === 0 ? (
              <EmptyState title={t`No keys yet`}>
                <p>{t`Create one below.`}</p>
              </EmptyState>
            ) : (
              <DataTable caption={t`API keys`} columns={keyColumns} rows={apiKeys.data.content} rowKey={({ id }) => id} />
            )}
          </div>
        )}
        {/* Not rendered before the content above, which would otherwise push it away from the pointer. */}
        {!apiKeys.isPending && <KeyForm onCreated={setCreatedKey} />}
      </div>
      {keyToRevoke && <EndKeyDialog apiKey={keyToRevoke} onClose={() => setKeyToRevoke(null)} />}
    </>
  )
}

function CreatedKeyNotice({ name, value: keyValue }: { name: string; value: string }) {
  const { t } = useLingui()
  return (
    <Notice kind="info" title={t`Key “${name}” created`}>
      <p>{t`Copy it now: it is not shown again.`}</p>
      <p className={layout.row}>
        <code translate="no" className={layout.break}>
          {keyValue}
        </code>
        <CopyButton text={keyValue}>{t`Copy`}</CopyButton>
      </p>
    </Notice>
  )
}

function useApiKeyColumns(onRevoke: (key: ApiKeyRow) => void): readonly Column<ApiKeyRow>[] {
  const { t } = useLingui()
  const { formatDate, formatDateTime, formatList } = useFormats()
  return [
    {
      key: 'name',
      heading: t`Name`,
      isRowHeading: true,
      renderCell: ({ name, hint }) => `${name} (${hint}…)`,
    },
    {
      key: 'scopes',
      heading: t`Permissions`,
      renderCell: (row) => formatList(row.scopes.map((scope) => t(scopeLabels[scope]))),
    },
    { key: 'created', heading: t`Created`, renderCell: ({ createdAt }) => formatDate(createdAt) },
    {
      key: 'expires',
      heading: t`Ends`,
      renderCell: ({ expiresAt, expired }) => (expired ? t`Expired` : formatDate(expiresAt)),
    },
    {
      key: 'used',
      heading: t`Last used`,
      renderCell: (row) => (row.usedAt ? formatDateTime(row.usedAt) : <UnknownValue label={t`Never`} />),
    },
    {
      key: 'actions',
      heading: t`Actions`,
      isHeadingHidden: true,
      renderCell: (row) => {
        const { name: keyName } = row
        return (
          <Button small label={t`Revoke key: ${keyName}`} onPress={() => onRevoke(row)}>
            {t`Revoke…`}
          </Button>
        )
      },
    },
  ]
}
