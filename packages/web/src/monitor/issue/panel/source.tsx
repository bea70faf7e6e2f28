import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { SourceView } from '../../page/parts/source-view.tsx'

export function IssueSource({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <div>
        <Button small onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? t`Hide the source` : t`Show in the source`}
        </Button>
      </div>
      {isOpen && <SourceView id={issue.pageId} element={issue} />}
    </>
  )
}
