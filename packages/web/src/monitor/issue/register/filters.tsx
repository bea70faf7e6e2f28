import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../kit/control/button.tsx'
import { FilterChoice } from '../../../kit/list/filter-choice.tsx'
import { Filters } from '../../../kit/list/filters.tsx'
import { useRuleTitle } from '../../ruleset/queries-texts.ts'
import { useSession } from '../../user/model.ts'
import { countRegisterFilters, noRegisterFilters, type RegisterSearch } from '../model-register.ts'
import { registerChoicesQuery } from '../queries-register.ts'

/** Periods to look ahead, in days. */
const expiryPeriods = [7, 30, 90, 365]

type RegisterFiltersProps = { search: RegisterSearch; onChange: (next: Partial<RegisterSearch>) => void }

export function RegisterFilters({ search, onChange }: RegisterFiltersProps) {
  const { t, i18n } = useLingui()
  const { api: apiClient } = useSession()
  const registerChoices = useQuery(registerChoicesQuery(apiClient)).data
  const getRuleTitle = useRuleTitle(i18n.locale)
  const { scan: scanFilter = '', rule: ruleFilter, author: authorFilter, within } = search
  const ruleOptions = (registerChoices?.rules ?? [])
    .map((rule) => [rule, getRuleTitle(rule, rule)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, i18n.locale))
  const activeCount = countRegisterFilters(search)
  return (
    <Filters label={t`Ignored issues`} activeCount={activeCount} isSingleLine>
      <FilterChoice
        label={t`Scan`}
        value={scanFilter}
        options={withCurrent(
          scanFilter,
          registerChoices?.scans.map(({ id, name }) => [id, name] as const),
        )}
        onChange={(next) => onChange({ scan: next === '' ? undefined : (next as ScanId) })}
      />
      <FilterChoice
        label={t`Rule`}
        value={ruleFilter}
        options={withCurrent(ruleFilter, ruleOptions)}
        onChange={(next) => onChange({ rule: next })}
      />
      <FilterChoice
        label={t`Ignored by`}
        value={authorFilter}
        options={withCurrent(
          authorFilter,
          registerChoices?.people.map(({ id, name }) => [id, name ?? t`Former member`] as const),
        )}
        onChange={(next) => onChange({ author: next })}
      />
      <FilterChoice
        label={t`Ends within`}
        value={within === undefined ? '' : String(within)}
        options={withCurrent(
          within === undefined ? '' : String(within),
          expiryPeriods.map((dayCount) => [String(dayCount), t`${plural(dayCount, { one: '# day', other: '# days' })}`] as const),
        )}
        onChange={(next) => onChange({ within: next === '' ? undefined : Number(next) })}
      />
      {activeCount > 0 && (
        <Button kind="quiet" small onPress={() => onChange(noRegisterFilters)}>
          {t`Clear all`}
        </Button>
      )}
    </Filters>
  )
}

type Options = readonly (readonly [string, string])[]
/** Includes the selected value in any case. */
const withCurrent = (currentValue: string, options: Options = []): Options =>
  currentValue === '' || options.some(([value]) => value === currentValue) ? options : [...options, [currentValue, currentValue]]
