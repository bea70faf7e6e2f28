import { useLingui } from '@lingui/react/macro'
import type { PageId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { pageContentQuery } from '../queries.ts'

/** The source of a page as text. It is a stranger's: never rendered. */
export function PageSource({ id }: { id: PageId }) {
  const { t } = useLingui()
  const { api } = useSession()
  const [open, setOpen] = useState(false)
  const content = useQuery({ ...pageContentQuery(api, id), enabled: open })
  return (
    <DetailPart
      title={t`Source as it was tested`}
      action={content.data !== undefined && open && <CopyButton text={content.data}>{t`Copy`}</CopyButton>}
    >
      <div>
        <Button small onPress={() => setOpen(!open)}>
          {open ? t`Hide the source` : t`Show the source`}
        </Button>
      </div>
      {open && content.isPending && <p className={layout.muted}>{t`Loading`}</p>}
      {open && content.isError && (
        <ErrorCard
          title={t`The source could not be loaded.`}
          error={content.error}
          onRetry={() => void content.refetch()}
        />
      )}
      {open && content.data !== undefined && (
        <pre translate="no" tabIndex={0} role="region" aria-label={t`Source as it was tested`}>
          <code>{content.data}</code>
        </pre>
      )}
    </DetailPart>
  )
}
