import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { SourceView } from '../../page/parts/source-view.tsx'

/** The element in the source of its page, once somebody asks for it. */
export function IssueSource({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <>
      <div>
        <Button small onPress={() => setOpen(!open)}>
          {open ? t`Hide the source` : t`Show in the source`}
        </Button>
      </div>
      {open && <SourceView id={issue.pageId} element={issue} />}
    </>
  )
}
