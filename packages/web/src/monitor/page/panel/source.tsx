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

/** The source of a page, with the element of one of its issues marked. */
export function PageSource({ page }: { page: PageDetail }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <DetailPart title={t`Source as it was tested`}>
      <div>
        <Button small onPress={() => setOpen(!open)}>
          {open ? t`Hide the source` : t`Show the source`}
        </Button>
      </div>
      {open && <Marked page={page} />}
    </DetailPart>
  )
}

function Marked({ page }: { page: PageDetail }) {
  const { t } = useLingui()
  const { api } = useSession()
  const [chosen, setChosen] = useState<IssueId | ''>('')
  const issues = useQuery(pageIssuesQuery(api, page)).data?.content ?? []
  const elements = issues.map(({ id, rule, selector }) => ({ id, name: `${rule}: ${selector}` }))
  const { data: issue } = useQuery({
    ...issueQuery(api, chosen as IssueId, page.runNumber),
    enabled: chosen !== '',
  })
  return (
    <>
      {elements.length > 0 && (
        <Field label={t`Mark the element of an issue`}>
          {(control) => (
            <Select {...control} value={chosen} options={toNamedOptions(t`None`, elements)} onChange={setChosen} />
          )}
        </Field>
      )}
      <SourceView id={page.id} element={issue?.id === chosen ? issue : null} />
    </>
  )
}
