import { Plural, useLingui } from '@lingui/react/macro'
import type { SentRequests } from '@clearway/contract/monitor/page/request/schema.ts'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'

/** Returns the numbers of requests by method, such as “412 GET, 3 POST”. */
export function useMethodText(): (byMethod: SentRequests['byMethod']) => string {
  const { t } = useLingui()
  const { formatNumber, formatList } = useFormats()
  return (byMethod) =>
    formatList(byMethod.map(({ method, count }) => `${formatNumber(count)} ${method === 'other' ? t`by other methods` : method}`))
}

/** Requests that may change something on the site, by address, with the number of those that were held. */
export function ChangingRequestList({ requests }: { requests: SentRequests['changing'] }) {
  return (
    <ul>
      {requests.map(({ method, address, count, held }) => (
        <li key={`${method} ${address}`} className={layout.break}>
          <code translate="no">
            {method} {address}
          </code>{' '}
          <Plural value={count} one="# time" other="# times" />
          {held > 0 && (
            <>
              {', '}
              <Plural value={held} one="# held" other="# held" />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
