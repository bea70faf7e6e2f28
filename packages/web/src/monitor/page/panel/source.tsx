import { useLingui } from '@lingui/react/macro'
import type { IssueId } from '@clearway/contract/kit/id.ts'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { toNamedOptions, Select } from '../../../kit/form/select.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { issueQuery } from '../../issue/queries.ts'
import { useSession } from '../../user/model.ts'
import { SourceView } from '../parts/source-view.tsx'
import { pageIssuesQuery } from '../queries.ts'

export function PageSource({ page }: { page: PageDetail }) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <DetailPart
      title={t`Source as it was tested`}
      action={
        <Button small onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? t`Hide the source` : t`Show the source`}
        </Button>
      }
    >
      {isOpen && <MarkedSource page={page} />}
    </DetailPart>
  )
}

function MarkedSource({ page }: { page: PageDetail }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const [chosenIssueId, setChosenIssueId] = useState<IssueId | ''>('')
  const pageIssues = useQuery(pageIssuesQuery(apiClient, page, '')).data?.content ?? []
  const elementOptions = pageIssues.map(({ id, rule, selector }) => ({ id, name: `${rule}: ${selector}` }))
  const { data: chosenIssue } = useQuery({
    ...issueQuery(apiClient, chosenIssueId as IssueId, page.runNumber),
    enabled: chosenIssueId !== '',
  })
  return (
    <>
      {elementOptions.length > 0 && (
        <Field label={t`Mark the element of an issue`}>
          {(control) => (
            <Select
              {...control}
              value={chosenIssueId}
              options={toNamedOptions(t`None`, elementOptions)}
              onChange={setChosenIssueId}
            />
          )}
        </Field>
      )}
      <SourceView id={page.id} element={chosenIssue?.id === chosenIssueId ? chosenIssue : null} />
    </>
  )
}
