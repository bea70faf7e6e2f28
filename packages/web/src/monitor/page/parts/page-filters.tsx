import { useLingui } from '@lingui/react/macro'
import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Chips } from '../../../kit/chips.tsx'
import { useFormats } from '../../../kit/format.ts'
import layout from '../../../kit/layout.module.css'
import { SearchField } from '../../../kit/search-field.tsx'
import { Segmented } from '../../../kit/segmented.tsx'
import { Toggles } from '../../../kit/toggles.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { ScanChoice } from '../../scan/parts/scan-choice.tsx'
import { useSession } from '../../user/model.ts'
import { failureTexts } from './failure-text.ts'
import type { PageSearch, PageTab } from '../model.ts'
import { pageTabs } from '../model.ts'
import { pageCountQuery } from '../queries.ts'

const healths: readonly Health[] = ['critical', 'serious', 'moderate', 'good']

type Props = { search: PageSearch; onChange: (next: Partial<PageSearch>) => void }

/** Scan, tab, health and search of the pages list. */
export function PageFilters({ search, onChange }: Props) {
  const { t } = useLingui()
  const words: Record<PageTab, string> = { completed: t`Tested`, failed: t`Failed`, left: t`Left out` }
  const clear = { failure: [], health: [], q: '' }
  return (
    <div role="search" aria-label={t`Pages`}>
      <div className={layout.bar}>
        <ScanChoice
          chosen={search.scanId}
          run={search.run}
          onChange={(scanId) => onChange({ scanId, run: undefined })}
        />
      </div>
      <div className={layout.bar}>
        <Segmented
          label={t`Show`}
          value={search.tab}
          onChange={(tab) => onChange({ tab, sort: tab === 'completed' ? 'health,asc' : 'url,asc' })}
          options={(Object.keys(pageTabs) as PageTab[]).map((tab) => ({
            value: tab,
            label: (
              <>
                {words[tab]} <Count search={search} tab={tab} />
              </>
            ),
          }))}
        />
        <SearchField
          label={t`Find a page`}
          placeholder={t`Title or address`}
          value={search.q}
          onSearch={(q) => onChange({ q })}
        />
        <Chips
          chips={search.failure.map((reason) => ({
            key: reason,
            label: t(failureTexts[reason].what),
            onRemove: () => onChange({ failure: search.failure.filter((one) => one !== reason) }),
          }))}
          onClear={() => onChange(clear)}
        />
      </div>
      {search.tab === 'completed' && (
        <div className={layout.bar}>
          <Toggles
            label={t`Health`}
            value={search.health}
            onChange={(health) => onChange({ health })}
            options={healths.map((health) => ({ value: health, label: <SignLabel sign={health} /> }))}
          />
        </div>
      )}
    </div>
  )
}

function Count({ search, tab }: { search: PageSearch; tab: PageTab }) {
  const { api } = useSession()
  const { number } = useFormats()
  const { data } = useQuery(pageCountQuery(api, search, tab))
  return <span className={layout.num}>{data === undefined ? '' : number(data)}</span>
}
