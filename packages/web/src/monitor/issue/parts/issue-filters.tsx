import { useLingui } from '@lingui/react/macro'
import type { IssueList, IssueStatus } from '@clearway/contract/monitor/issue/schema.ts'
import { useId } from 'react'
import type { Chip } from '../../../kit/chips.tsx'
import { Chips } from '../../../kit/chips.tsx'
import field from '../../../kit/field.module.css'
import { useFormats } from '../../../kit/format.ts'
import layout from '../../../kit/layout.module.css'
import { SearchField } from '../../../kit/search-field.tsx'
import { Toggles } from '../../../kit/toggles.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { ScanChoice } from '../../scan/parts/scan-choice.tsx'
import type { IssueSearch } from '../model.ts'
import { severities, withoutFilters } from '../model.ts'
import { changeWords, statusWords } from './words.ts'

type Props = {
  search: IssueSearch
  counts: IssueList['severities'] | undefined
  onChange: (next: Partial<IssueSearch>) => void
}

/** Everything that narrows the issues list. Each change stands in the address bar. */
export function IssueFilters({ search, counts, onChange }: Props) {
  const { t } = useLingui()
  const { number } = useFormats()
  const id = useId()
  return (
    <div role="search" aria-label={t`Issues`}>
      <div className={layout.bar}>
        <ScanChoice
          chosen={search.scanId}
          run={search.run}
          onChange={(scanId) => onChange({ scanId, run: undefined, pageId: [] })}
        />
      </div>
      <div className={layout.bar}>
        <Toggles
          label={t`Impact`}
          value={search.severity}
          onChange={(severity) => onChange({ severity })}
          options={severities.map((severity) => {
            const count = counts?.[severity === 'needs review' ? 'needsReview' : severity]
            return {
              value: severity,
              label: <SignLabel sign={severity} />,
              ...(count === undefined ? {} : { count: number(count) }),
            }
          })}
        />
      </div>
      <div className={layout.bar}>
        <SearchField
          label={t`Find in issues`}
          placeholder={t`Rule, selector or page`}
          value={search.q}
          onSearch={(q) => onChange({ q })}
        />
        <StatusChoice status={search.status} onChange={(status) => onChange({ status })} />
        <span className={layout.line}>
          <input
            id={id}
            type="checkbox"
            checked={search.grouped}
            onChange={() => onChange({ grouped: !search.grouped })}
          />
          <label htmlFor={id}>{t`One row for the same element on many pages`}</label>
        </span>
        <Chips chips={useChips(search, onChange)} onClear={() => onChange(withoutFilters(search))} />
      </div>
    </div>
  )
}

type Choice = 'open' | 'ignored' | 'fixed' | 'any'

function StatusChoice({
  status,
  onChange,
}: {
  status: IssueStatus[]
  onChange: (next: IssueStatus[]) => void
}) {
  const { t } = useLingui()
  const id = useId()
  const [first] = status
  const value: Choice = status.length === 1 && first !== undefined && first !== 'none' ? first : 'any'
  return (
    <span className={layout.line}>
      <label htmlFor={id} className={layout.nowrap}>{t`Status`}</label>
      <select
        id={id}
        className={`${field.control} ${field.fit}`}
        value={value}
        onChange={({ target }) => onChange(target.value === 'any' ? [] : [target.value as IssueStatus])}
      >
        {(['open', 'ignored', 'fixed'] as const).map((one) => (
          <option key={one} value={one}>
            {t(statusWords[one])}
          </option>
        ))}
        <option value="any">{t`Any`}</option>
      </select>
    </span>
  )
}

function useChips(search: IssueSearch, onChange: Props['onChange']): Chip[] {
  const { t } = useLingui()
  const chip = (key: string, label: string, next: Partial<IssueSearch>): Chip => ({
    key,
    label,
    onRemove: () => onChange(next),
  })
  return [
    ...search.rule.map((rule) =>
      chip(`rule ${rule}`, t`Rule: ${rule}`, { rule: search.rule.filter((one) => one !== rule) }),
    ),
    ...search.tag.map((tag) =>
      chip(`tag ${tag}`, t`Tag: ${tag}`, { tag: search.tag.filter((one) => one !== tag) }),
    ),
    ...search.change.map((change) =>
      chip(change, t(changeWords[change]), { change: search.change.filter((one) => one !== change) }),
    ),
    ...(search.pageId.length > 0 ? [chip('page', t`One page`, { pageId: [] })] : []),
  ]
}
